"""Judge scripts: `validate_script`, and the check before every change.

    verdict           what the tools answer
    validator         all rules together
    finding           what a rule finds
    brackets          brackets and quotes without a partner
    syntax_errors     what cannot be parsed
    names, spelling   unknown functions and methods, and what was probably meant
    quotes            strings in the wrong quotes
    parameter_table   parameters with their useful values
    arguments         wrong kinds of arguments, values out of range, notes, vowels
    scale_names       scales that do not exist
    sound_names       sounds and banks that do not exist, or cannot be heard offline
    chord_names       chords that are silent
    run_time          what the engine says when it evaluates the script and asks for events
    engine_messages   its messages in plain words
    played_values     values of events that cannot be used
    silent_patterns   patterns that are not heard
    musical           tempo, size, nesting, too many events
    key_mismatch      voices outside the key

Rules on the syntax tree know exact places; the run by the engine finds the rest.
"""

from consort_strudel.validation.sound_names import KnownSounds
from consort_strudel.validation.validator import Validator
from consort_strudel.validation.verdict import ScriptError, ScriptVerdict, ScriptWarning

__all__ = ["KnownSounds", "ScriptError", "ScriptVerdict", "ScriptWarning", "Validator"]
