"""Rules on what the engine says when it evaluates the script and asks for its events.

run_time          errors of the engine
played_values     values of events that cannot be used
inaudible         filters far from the note, attacks longer than it
key_mismatch      voices outside the key
musical           tempo, size, nesting, too many events
"""
