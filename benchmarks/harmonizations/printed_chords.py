"""Compare the first option of reharmonize with the chords that musicians usually play, in the default chord rhythm.

The tunes are those of `evaluation.corpora.lead_sheets`. A beat agrees if the chord that sounds at its start has the
printed root. The last cadence is counted if the last two different chords are V-I, or another cadence of the style:
a dominant of another root in jazz, any chord to the tonic in modal style.

- *best triad of each bar*: of the triads of the key, the one that has most of the bar's time on its tones. If triads
  are equal, the most common one in songs wins.
- *printed*: the printed chords themselves.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_compose.composer.tonality import harmonic_key
from evaluation.corpora.lead_sheets import LeadSheet, lead_sheets

STYLES = ("classical", "pop", "jazz", "modal")
COMPARED = ("classical", "pop")
"""The styles whose roots are required to agree with the printed ones."""
BEST_TRIAD = "best triad of each bar"
RootSpan = tuple[Fraction, int]
"""The start of a chord in quarter notes, and the pitch class of its root."""
_TRIADS = {
    False: ((0, 4), (7, 4), (5, 4), (9, 3), (2, 3), (4, 3)),
    True: ((0, 3), (7, 4), (10, 4), (3, 4), (5, 3), (8, 4)),
}
"""(root above the tonic, third) by whether the key is minor, the most common first."""


def run(options: BenchOptions) -> Report:
    sheets = lead_sheets("tune" if options.split == "tune" else "test")[: options.limit]
    rows = [compare(BEST_TRIAD, sheets, best_triads)]
    for style in STYLES:
        rows.append(compare(f"reharmonize, {style}", sheets, partial(harmonized, style=style)))
    rows.append(
        compare("printed", sheets, lambda sheet: [(beat, root) for beat, root in sheet.roots if root is not None])
    )
    by_name = {str(row["by"]): row for row in rows}
    required = []
    for style in STYLES:
        row = by_name[f"reharmonize, {style}"]
        if style in COMPARED:
            required.append(
                Requirement(f"printed roots, {style}, %", float(row["same root %"] or 0), 72, more_is_better=True)
            )
        required.append(Requirement(f"last cadence, {style}, %", float(row["cadence %"] or 0), 60, more_is_better=True))
    return Report(
        title=f"Root agreement with printed chords, per beat, on {len(sheets)} tunes",
        rows=rows,
        summary="Printed roots: " + ", ".join(f"{row['by']} {row['same root %']:.1f}%" for row in rows[:3]) + ".",
        requirements=required,
    )


def compare(name: str, sheets: Sequence[LeadSheet], harmonize: Callable[[LeadSheet], Sequence[RootSpan]]) -> Row:
    same = beats = cadences = tonic = chords = 0
    shares = []
    for sheet in sheets:
        found = harmonize(sheet)
        starts = [start for start, _ in found]
        tune_same = tune_beats = 0
        home = harmonic_key(sheet.melody).tonic
        for beat, root in sheet.roots:
            if root is not None:
                ours = found[max(bisect_right(starts, beat) - 1, 0)][1]
                tune_beats += 1
                tune_same += ours == root
                tonic += ours == home
        same, beats, chords = same + tune_same, beats + tune_beats, chords + len(found)
        shares.append(tune_same / tune_beats)
        cadences += ends_with_cadence([root for _, root in found], home, name)
    return {
        "by": name,
        "tunes": len(sheets),
        "beats": beats,
        "same root %": 100 * same / beats,
        "mean of tunes %": 100 * sum(shares) / len(shares),
        "cadence %": 100 * cadences / len(sheets),
        "tonic %": 100 * tonic / beats,
    }


def ends_with_cadence(roots: Sequence[int], home: int, name: str) -> bool:
    before = next((root for root in reversed(roots) if root != home), None)
    if before is None or roots[-1] != home:
        return False
    return "modal" in name or (before - home) % 12 in ((7, 1, 11) if "jazz" in name else (7,))


def harmonized(sheet: LeadSheet, style: str) -> list[RootSpan]:
    option = find_harmonizations(sheet.melody, Reharmonize.model_validate({"melody": "score", "style": style})).options[
        0
    ]
    return [(span.start, span.chord.root_pitch_class or 0) for span in option.chords]


def best_triads(sheet: LeadSheet) -> list[RootSpan]:
    key = harmonic_key(sheet.melody)
    found = []
    for bar in sheet.melody.bars:
        weights = [Fraction(0)] * 12
        for note in sheet.melody.parts[0].notes:
            weights[(note.midi - key.tonic) % 12] += max(
                Fraction(0), min(note.end, bar.end) - max(note.start, bar.start)
            )
        fits = [
            weights[root] + weights[(root + third) % 12] + weights[(root + 7) % 12]
            for root, third in _TRIADS[key.is_minor]
        ]
        found.append((bar.start, (key.tonic + _TRIADS[key.is_minor][fits.index(max(fits))][0]) % 12))
    return found
