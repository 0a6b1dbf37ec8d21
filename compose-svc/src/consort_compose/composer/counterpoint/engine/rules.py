"""The rules of counterpoint. Each rule is one bit of a mask; a higher bit is a more severe rule.

A mask is a set of broken rules. `severity` compares masks: breaking a rule weighs four times as much as breaking the
next less severe rule. Parallel fifths and octaves and the range are not among these rules, because they are never
relaxed. SYNCOPATION is special: a fourth-species voice may break it when no voice without that breach exists. No other
rule has to be relaxed for this.
"""

from functools import cache

SYNCOPATION = 1 << 0
SPACING = 1 << 1
TRITONE_OUTLINE = 1 << 2
REPEATED_NOTE = 1 << 3
CONSECUTIVE_LEAPS = 1 << 4
PARALLEL_RUN = 1 << 5
LEAP_RECOVERY = 1 << 6
CHORD_TONE = 1 << 7
MELODIC_INTERVAL = 1 << 8
RELATIONSHIP = 1 << 9
OVERLAP = 1 << 10
CADENCE = 1 << 11
UNISON = 1 << 12
DIRECT_INTERVAL = 1 << 13
DOWNBEAT_PARALLEL = 1 << 14
FIRST_OR_LAST_INTERVAL = 1 << 15
VOICE_CROSSING = 1 << 16
DISSONANCE = 1 << 17

ALL_RULES = (1 << 18) - 1
"""The mask with all rules."""

BREACHES = {
    SYNCOPATION: "the downbeat is struck, not tied over",
    SPACING: "the voices are more than a twelfth apart",
    TRITONE_OUTLINE: "the line outlines a tritone",
    REPEATED_NOTE: "a note is repeated",
    CONSECUTIVE_LEAPS: "two leaps follow each other in one direction",
    PARALLEL_RUN: "more than three thirds or sixths follow each other",
    LEAP_RECOVERY: "a leap is not followed by a step back",
    CHORD_TONE: "a strong beat has no tone of the chord",
    MELODIC_INTERVAL: "the line has an interval that voices do not sing",
    RELATIONSHIP: "the voices leave the interval of the relationship",
    OVERLAP: "one voice moves beyond the previous note of the other",
    CADENCE: "the cadence is not the usual step into the last note",
    UNISON: "the voices meet in a unison before the end",
    DIRECT_INTERVAL: "both voices move in the same direction into a fifth or octave",
    DOWNBEAT_PARALLEL: "two downbeats in a row have fifths or octaves",
    FIRST_OR_LAST_INTERVAL: "the first or last interval is not a fifth or octave",
    VOICE_CROSSING: "the voices cross",
    DISSONANCE: "a dissonance is not prepared or resolved by step",
}
"""For each rule, the text that describes a breach. It is used inside a sentence."""
NAMES = {
    SYNCOPATION: "syncopation",
    SPACING: "spacing",
    TRITONE_OUTLINE: "tritone_outline",
    REPEATED_NOTE: "repeated_note",
    CONSECUTIVE_LEAPS: "consecutive_leaps",
    PARALLEL_RUN: "parallel_run",
    LEAP_RECOVERY: "leap_recovery",
    CHORD_TONE: "harmonic_context",
    MELODIC_INTERVAL: "melodic_interval",
    RELATIONSHIP: "relationship",
    OVERLAP: "overlap",
    CADENCE: "cadence",
    UNISON: "unison",
    DIRECT_INTERVAL: "direct_interval",
    DOWNBEAT_PARALLEL: "downbeat_parallel",
    FIRST_OR_LAST_INTERVAL: "first_or_last_interval",
    VOICE_CROSSING: "voice_crossing",
    DISSONANCE: "dissonance",
}
"""For each rule, its name in `Relaxation.rule`."""


def rules_in(mask: int) -> list[int]:
    return [rule for rule in BREACHES if mask & rule]


@cache
def severity(mask: int) -> int:
    """Return the severity of a set of broken rules; a larger number is worse."""
    return sum(4 ** (rule.bit_length() - 1) for rule in rules_in(mask))
