"""The rules by name, softest first. A voice that breaks none is looked for before any is relaxed.

A set of broken rules is a mask of bits. `severity` orders masks: a breach counts as four of the next softer rule.
Parallels and the range are not in the list, because they are never relaxed. A broken syncopation is what a voice may
always have, in the fourth species, and never has without need: it is counted and told, but opens no other rule.
"""

from functools import cache

SYNCOPATION, SPACING, OUTLINE, REPEAT, LEAP_PAIR, PARALLEL_RUN, RECOVERY, CHORD, LEAP = (1 << bit for bit in range(9))
RELATION, OVERLAP, CADENCE, UNISON, DIRECT, DOWNBEATS, ENDS, CROSSING, DISSONANCE = (1 << bit for bit in range(9, 18))
EVERY = (1 << 18) - 1

MESSAGES = {
    SYNCOPATION: "the downbeat is struck, not tied over",
    SPACING: "the voices are more than a twelfth apart",
    OUTLINE: "the line outlines a tritone",
    REPEAT: "a note is repeated",
    LEAP_PAIR: "two leaps follow each other in one direction",
    PARALLEL_RUN: "more than three thirds or sixths follow each other",
    RECOVERY: "a leap is not recovered by a step back",
    CHORD: "a strong beat has no tone of the chord",
    LEAP: "the line leaps by an interval that is not sung",
    RELATION: "the voices leave the interval of the relationship",
    OVERLAP: "one voice moves past where the other one was",
    CADENCE: "the cadence is not the usual step into the last note",
    UNISON: "the voices meet in a unison before the end",
    DIRECT: "both voices move the same way into a fifth or octave",
    DOWNBEATS: "two downbeats in a row have a fifth, or an octave",
    ENDS: "the first or last interval is not a fifth or octave",
    CROSSING: "the voices cross",
    DISSONANCE: "a dissonance is not prepared or resolved by step",
}
NAMES = {
    SYNCOPATION: "syncopation",
    SPACING: "spacing",
    OUTLINE: "tritone_outline",
    REPEAT: "repeated_note",
    LEAP_PAIR: "consecutive_leaps",
    PARALLEL_RUN: "parallel_run",
    RECOVERY: "leap_recovery",
    CHORD: "harmonic_context",
    LEAP: "melodic_interval",
    RELATION: "relationship",
    OVERLAP: "overlap",
    CADENCE: "cadence",
    UNISON: "unison",
    DIRECT: "direct_interval",
    DOWNBEATS: "downbeat_parallel",
    ENDS: "first_or_last_interval",
    CROSSING: "voice_crossing",
    DISSONANCE: "dissonance",
}


def rules_in(mask: int) -> list[int]:
    return [rule for rule in MESSAGES if mask & rule]


@cache
def severity(mask: int) -> int:
    return sum(4 ** (rule.bit_length() - 1) for rule in rules_in(mask))
