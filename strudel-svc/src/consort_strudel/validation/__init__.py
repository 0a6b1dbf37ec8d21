"""Judge scripts: `validate_script`, and the check before every change.

    verdict           what the tools answer
    validator         all rules together
    finding           what a rule finds
    spelling          what was probably meant
    parameter_table   parameters with their useful values
    engine_messages   what the engine says, in plain words
    syntax/           what cannot be parsed
    written/          names, quotes, arguments and sounds, on the syntax tree
    played/           what the engine says when it runs the script

Rules on the syntax tree know exact places; the run by the engine finds the rest.
"""

from consort_strudel.validation.validator import Validator
from consort_strudel.validation.verdict import ScriptError, ScriptVerdict, ScriptWarning
from consort_strudel.validation.written.sound_names import KnownSounds

__all__ = ["KnownSounds", "ScriptError", "ScriptVerdict", "ScriptWarning", "Validator"]
