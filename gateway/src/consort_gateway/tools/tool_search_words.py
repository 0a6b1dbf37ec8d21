"""The words that tool search compares: without endings, and with synonyms."""

import re
from functools import cache

_SYNONYMS = (
    "delete remove erase wipe trash bin scrap ditch kill destroy nuke discard drop dispose throw rid lose",
    "undo revert reverse rollback oops",
    "create start begin new set prepare",
    "save keep store archive bookmark remember hold stash",
    "upload import load receive attach bring",
    "copy duplicate clone repeat reuse twice again",
    "rename title call name retitle",
    "edit change modify adjust alter fix correct patch tweak update",
    "find search look seek locate browse",
    "show display view see print list present",
    "explain describe mean meaning",
    "compare versus difference differ different",
    "check validate verify test proofread lint",
    "mistake error wrong problem fault bug false",
    "draw picture image graphic plot chart visualize visualise diagram graph",
    "play perform hear listen sound",
    "stop halt cease silence quiet shut end",
    "pause resume continue",
    "join merge combine glue concatenate",
    "cut trim crop chop snip extract isolate excerpt",
    "record microphone mic",
    "recording audio take tape wav mp3 flac m4a ogg memo",
    "transcribe hum whistle humming",
    "tempo bpm speed fast slow pace",
    "key tonality scale",
    "metre meter signature",
    "loud volume loudness quiet soft level dynamic",
    "pitch intonation tune tuning flat sharp cent",
    "tone timbre bright dark warm harsh dull",
    "harmonize harmonise harmonization accompany accompaniment harmony harmonies",
    "chord progression changes",
    "melody tune theme hook",
    "sheet score notation staff engrave typeset notate tab tablature pdf",
    "instrument player",
    "bar measure",
    "section verse chorus bridge intro outro",
    "project sketch",
    "clip snippet pattern",
    "code script strudel",
    "export download share",
    "daw logic ableton cubase reaper garageband",
    "improve better progress worse",
    "student pupil teacher",
    "summary overview summarize summarise",
    "correct right accurate accuracy",
    "version revision history",
    "device port output interface",
    "job calculation render processing",
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
