"""The words that tool search compares: without endings, and with synonyms."""

import re
from functools import cache

_SYNONYMS = (
    "delete remove erase wipe trash bin scrap ditch kill destroy nuke discard drop dispose throw rid lose clear empty",
    "undo revert reverse rollback oops unmake",
    "redo reapply undone",
    "create start begin new make set prepare write",
    "save keep store archive bookmark remember hold stash put",
    "upload import load receive attach bring send submit",
    "copy duplicate clone repeat reuse twice again paste",
    "rename title call name retitle",
    "edit change modify adjust alter fix correct patch tweak update",
    "find search look seek locate browse",
    "show display view see print list present tell read",
    "explain describe mean meaning interpret",
    "compare versus difference differ different",
    "check validate verify test proofread lint review inspect",
    "mistake error wrong problem fault bug false crash broken",
    "draw picture image graphic plot chart visualize visualise diagram graph visual graphical",
    "play perform hear listen sound",
    "stop halt cease silence quiet shut end cancel abort enough",
    "practise practice rehearse rehearsal",
    "pause resume continue",
    "rewind forward skip jump seek",
    "join merge combine glue concatenate",
    "cut trim crop chop snip extract isolate excerpt",
    "record microphone mic",
    "recording audio take tape wav mp3 flac m4a ogg memo wave",
    "transcribe hum whistle humming sing sang hummed sung",
    "tempo bpm speed fast slow pace",
    "key tonality scale major minor",
    "metre meter signature",
    "loud volume loudness quiet soft level dynamic crescendo clip",
    "pitch intonation tune tuning flat sharp cent",
    "rhythm timing beat rush drag groove",
    "tone timbre bright dark warm harsh dull nasal",
    "articulation staccato legato slur accent",
    "harmonize harmonise harmonization accompany accompaniment harmony harmonies",
    "chord progression changes",
    "fret fingering finger shape",
    "melody tune theme hook",
    "motif motive phrase idea riff",
    "sheet score notation staff engrave typeset notate tab tablature pdf",
    "counterpoint voice line part",
    "instrument part track violin viola cello flute oboe clarinet saxophone trumpet trombone horn guitar ukulele harp"
    " piano organ bass drum percussion xylophone tambourine choir string",
    "bar measure",
    "section verse chorus bridge intro outro coda interlude",
    "project sketch",
    "clip snippet pattern",
    "code script strudel",
    "version revision history",
    "project script strudel live coding",
    "export download share",
    "daw logic ableton cubase reaper garageband",
    "improve better progress worse",
    "student pupil teacher",
    "summary overview summarize summarise feedback",
    "correct right accurate accuracy",
    "device port output interface synth synthesizer",
    "job calculation render processing",
    "job status ready finished done",
)
"""Each line has words that a user says for one thing. A word may be in several lines."""


def words(text: str) -> list[str]:
    """Return the stems of a text's words in order."""
    return [stem(word) for word in re.findall(r"[^\W_]+", text.lower())]


@cache
def stem(word: str) -> str:
    """Return the word without a plural's or verb's ending, so that `chords` and `played` find `chord` and `play`."""
    if len(word) <= 3 or not word.isalpha():
        return word
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + replacement
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]  # cutting, trimmed
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def synonyms(stem_of_word: str) -> frozenset[str]:
    """Return the stems that mean the same as this one."""
    found = (line for line in _stems_of_lines() if stem_of_word in line)
    return frozenset().union(*found) - {stem_of_word}


@cache
def _stems_of_lines() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, line.split())) for line in _SYNONYMS)
