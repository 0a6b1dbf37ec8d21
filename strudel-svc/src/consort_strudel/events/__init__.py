"""What a script plays: as a table, a picture and a MIDI file. The real engine says which events there are.

Modules, in reading order:
    midi_sounds       the drum or the program of General MIDI that a sound is nearest to
    event_notes       velocity and sound of one event
    voices            which voice of the script plays an event
    cycle_time        cycles, beats and tempo; after how many cycles the music repeats
    long_evaluation   many cycles, in several requests to the engine
    midi_export       events as a note sequence, and what has no MIDI meaning
    event_table       events as short text, repeats folded
    event_picture     events as a piano roll and a drum grid
    script_to_play    the script of a project, or any code
    models, service, routes    the tools preview_events and strudel_export_midi
"""
