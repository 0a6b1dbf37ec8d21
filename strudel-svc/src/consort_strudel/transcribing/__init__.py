"""Music as Strudel code: any MIDI file, song or score becomes a script whose events are its notes on a grid.

Modules, in reading order:
    grid            choose the grid, and move notes to it
    read_performance    a file that was played by hand
    place_notes     notes on the grid, and what that changed
    read_music      a MIDI file as music on a grid: tracks, bars, tempos, key
    mini_text       steps and onsets as mini-notation, repeats folded
    bar_text        the notes of a bar
    value_text      values at moments: velocity, tempo
    pitch_text      note names, or degrees of a scale
    phrases         a row of bars as an expression, with constants for phrases that return
    write_script    the whole script
    check_script    compare the events of a script with the music it was made from
    models, service, routes    the tool midi_to_strudel
"""
