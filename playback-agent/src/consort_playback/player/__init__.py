"""The programs that the agent starts as processes of their own: they touch the MIDI system, the agent never does.

`play` owns one port and keeps time, `scout` lists the ports, `silence` ends notes that a dead player left sounding. If
the MIDI system hangs, only the process that called it hangs with it. Standard library and rtmidi only, so that one
starts in a tenth of a second.
"""
