"""The weights of the criteria by which the search chooses chords, for each style."""

from dataclasses import dataclass, field

from consort_compose.composer.harmony.harmonize.styles.style_chords import HarmonyStyle
from consort_compose.composer.harmony.melody_grid import ChordRhythm

RhythmWeights = dict[ChordRhythm, float]


@dataclass(frozen=True)
class StyleWeights:
    model: float
    """Weight of the Bach model's log probability."""
    fit: RhythmWeights
    """Weight of the share of chord tones. It is larger for long chords, because the model scores single beats."""
    uncommon: float
    """Cost of a move that is not common in the style."""
    unresolved: float
    """Cost of such a move from a chord that should resolve."""
    staying: RhythmWeights
    """Score of repeating the same chord."""
    tonic_at_ends: float
    """Bonus of a tonic chord at the end; half of it at the start."""
    differing: float
    """Penalty of the chords of earlier options."""
    songs: RhythmWeights = field(default_factory=dict)
    """Weight of the song model, which replaces `model` where it is given, and its share of `fit` and `staying`."""
    tonic: RhythmWeights = field(default_factory=dict)
    """Cost of a tonic chord within the tune, where no phrase ends on a held note."""
    tonic_after_tonic: float = 0.0
    """Cost of a tonic chord after a tonic chord."""
    same_root: float = 0.0
    """Cost of a chord on the same root in the next bar, with the song model."""
    no_cadence_within: float = 1.0
    """Cost of a phrase end within the tune without a cadence."""
    prepared: float = 0.0
    """Bonus of a dominant after its ii; a dominant after another chord costs as much."""
    resolved: float = 0.0
    """Bonus of a dominant that moves to the tonic."""
    predominant: float = 0.0
    """Bonus of a dominant after ii or IV, with the song model."""
    favourites: dict[int, float] = field(default_factory=dict)
    """Bonus of chords on these roots, in semitones above the tonic, within a phrase, with the song model."""
    cadence_preparation: float = 0.0
    """Bonus of a dominant after ii or IV (in jazz, its ii) just before a phrase end, beside the bonus of any such."""
    cadence_seventh: float = 0.0
    """Bonus of a dominant seventh before the tonic at the end of a phrase."""


_STAYING: RhythmWeights = {"per_measure": -0.5, "per_half": -0.3, "per_beat": -0.1}
_FIT: RhythmWeights = {"per_measure": 3.0, "per_half": 2.5, "per_beat": 2.0}
STYLE_WEIGHTS: dict[HarmonyStyle, StyleWeights] = {
    "classical": StyleWeights(
        model=1.0,
        fit={"per_measure": 2.0, "per_half": 1.0, "per_beat": 0.5},
        uncommon=0.8,
        unresolved=1.2,
        staying={"per_measure": -0.7, "per_half": -0.1, "per_beat": 0.0},
        tonic_at_ends=1.5,
        differing=0.8,
        songs={"per_measure": 1.0},
        cadence_seventh=0.5,
        predominant=0.6,
        cadence_preparation=2.8,
        same_root=1.0,
        no_cadence_within=2.0,
    ),
    "pop": StyleWeights(
        model=0.5,
        fit=_FIT,
        uncommon=0.3,
        unresolved=1.0,
        staying=_STAYING,
        tonic_at_ends=1.5,
        differing=0.8,
        songs={"per_measure": 1.0},
        favourites={9: 2.6, 5: 0.6, 8: 1.2},
        tonic_after_tonic=0.6,
        cadence_preparation=1.0,
        same_root=0.8,
    ),
    "jazz": StyleWeights(
        model=0.5,
        fit={"per_measure": 5.0, "per_half": 1.5, "per_beat": 1.5},
        uncommon=1.2,
        unresolved=6.0,
        staying=_STAYING,
        tonic_at_ends=3.0,
        differing=0.7,
        songs={"per_measure": 0.8},
        same_root=1.8,
        tonic={"per_measure": 2.8, "per_half": 1.6, "per_beat": 1.6},
        tonic_after_tonic=0.5,
        no_cadence_within=2.0,
        prepared=0.7,
        cadence_preparation=2.2,
        resolved=0.9,
    ),
    "modal": StyleWeights(
        model=0.2, fit=_FIT, uncommon=0.8, unresolved=1.0, staying=_STAYING, tonic_at_ends=3.0, differing=0.8
    ),
}

QUALITY_SCORES = {"9": -0.3, "maj9": -0.3, "m9": -0.3, "6": -0.4, "m6": -0.5, "13": -0.5, "m11": -2.5, "7sus4": -0.6,
                  "maj7#11": -0.7, "7b9": -0.4, "7#9": -0.5, "add9": -0.3, "sus4": -0.3, "sus2": -0.3}  # fmt: skip
SUBSTITUTE_SCORES = {"tritone": 0.8, "diminished": -1.6, "secondary": -0.1, "borrowed": 0.0, None: 0.0}
STANDS_FOR = {"tritone": 7, "diminished": 7}
"""Substitutes of the dominant, with the root whose probability in the model they use."""

RETROGRESSION = 1.5
"""The cost, in classical style, of a dominant that moves to another chord than I, VI or vii."""
SIX_FOUR = 2.5
"""The bonus, in classical style, of the dominant after the tonic with its fifth in the bass."""
SIX_FOUR_FAULT = 8.0
"""The cost of this chord elsewhere than before the dominant at a phrase end."""
STEPWISE_BASS = 0.35
"""The bonus, in classical style, of a bass that moves by step to another chord."""
DOUBLED_BASS = 0.8
"""The cost of an inversion whose bass is in the melody for half of the time."""
DOUBLED_LEADING_TONE = 4.0
"""The cost of the leading tone in the bass and in the melody."""
INVERTED_OPENING = 0.6
"""The cost of an inversion where a phrase begins."""
APPLIED_DOMINANT = 1.5
"""The bonus of a secondary dominant before a phrase end on its goal, in classical style; its cost elsewhere."""
PHRASE_BEGINS_ON_OLD_DOMINANT = 2.0
"""The cost of a dominant that is held into the beginning of the next phrase."""
SEVENTH_MISSED = 0.6
"""The cost of the triad of the dominant under a melody with its seventh, if the style has dominant sevenths."""
LEADING_TONE_MISSED = 3.0
"""The cost of a chord without the leading tone that the melody sings just before the tonic of a phrase end."""
LOWERED_SEVENTH: dict[HarmonyStyle, float] = {"pop": 0.8, "classical": 0.5}
"""The cost, within a phrase, of the major dominant of a minor key in which the melody has only the minor seventh."""
NO_LEADING_TONE = 3.5
"""The cost, in modal style, of the major dominant under a melody without its third."""
WRONG_NOTE = 2.5
"""The least cost of a foreign note that counts for chords shorter than a bar, whose passing notes the model scores."""
OUTSIDE = 3.0
"""The cost of a chord from outside the style."""
ACCENTED_DISSONANCE = 0.5
"""The cost of a strong note that is a suspension or appoggiatura, in the styles without the song model."""
BASS_FAULT = 200.0
"""The cost of a bass move without the requested motion."""
PARALLEL = 8.0
"""The cost of parallel fifths or octaves between bass and melody."""
OTHER_THIRD = 20.0
"""The cost of a major third in the chord with the minor third in the melody, or the reverse."""
HALF_CADENCE = 1.5
"""The bonus of the chord that a held note at the end of a phrase asks for; half of it for a full cadence."""
MISSPELLED = 3.0
"""The cost of a chord that lacks a tone of the chord which the melody spells in a bar with two slots."""
CLASH = 400.0
"""The cost, in jazz, of a chord tone a semitone away from a held melody note that is no accepted tension."""
ARPEGGIO = 4.0
"""The cost, in jazz, of a chord under an arpeggio of which it has fewer than two tones below its ninth."""
SEED_NOISE = 0.35
"""Standard deviation of the noise that a seed adds to the scores."""
CHANGE_WITHIN_BAR = 1.0
"""The cost of a second chord in a bar that may have one or two, in the styles without the song model."""
NO_CADENCE = 6.0
"""The cost of a final tonic without a cadence."""
BASS_CHANGED_WITHIN_BAR = 0.5
"""The cost of another bass of the same chord in the second half of a bar."""
INVERTED_END = 2.0
"""The cost of an inversion at the end of a phrase."""
UNRESOLVED_END = 5.0
"""The cost of a chord that should resolve, at the end and in the first bar."""
ENDS_INVERTED = 8.0
"""The cost of an inversion at the end; half of it at the start."""
EXTENSION_CHANGED = -0.2
"""Score of another extended chord on the same root (G7 to G9), added to that of staying."""
EXTENSION_CHANGED_WITHIN_BAR = 1.5
"""The cost of another chord on the same root in the second half of a bar."""
SEVENTH_DROPPED = -0.6
"""Score of a chord that loses its seventh without resolving, added to that of staying."""
SUSPENDED_AGAIN = 3.0
"""The cost of a suspended chord after a chord on its root that is not suspended."""
SAME_MELODY = 3.0
"""The bonus of the same chord where the melody is the same; half of it for another chord on the same root."""
SAME_ROOT_SHARE = 0.6
"""The share of the penalty for an earlier option that applies to all chords on the same root, such as G7 and G9."""
