"""Where notes begin.

own_partials     find the start of soft notes in the sound of the note before
repeated_notes   find repeated notes inside runs, where the reference expects them
soft_starts      let soft notes begin when they were due, where the sound is unclear
"""
