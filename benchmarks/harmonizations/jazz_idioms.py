"""Count idioms of jazz in the first option of reharmonize, in the default chord rhythm.

The tunes are those of `evaluation.corpora.lead_sheets`. Repeated roots count as one chord.

- *after its ii*: the share of dominants (7, 9, 13, 7b9, 7#9) that follow a minor or half-diminished chord a fifth
  above, or a semitone above for a tritone substitute.
- *tonic*: the share of the time on chords whose root is the tonic.
- *clashes*: held notes (half of the chord or more) a semitone above a chord tone, except b9 and b13 of a dominant.
"""

from itertools import groupby, pairwise

from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from evaluation.checkers.harmony import read_symbol
from evaluation.corpora.lead_sheets import lead_sheets

DOMINANTS = ("7", "9", "13", "7b9", "7#9")
MINOR = ("m", "m7", "m9", "m11", "m7b5")


def run(options: BenchOptions) -> Report:
    sheets = lead_sheets("tune" if options.split == "tune" else "test")[: options.limit]
    body = Reharmonize.model_validate({"melody": "score", "style": "jazz", "num_options": 1})
    dominants = prepared = secondary = clashes = 0
    tonic = total = 0.0
    for sheet in sheets:
        found = find_harmonizations(sheet.melody, body)
        chords = [(start, end, read_symbol(symbol.name)) for start, end, symbol in found.options[0].chords]
        for start, end, chord in chords:
            total += float(end - start)
            tonic += float(end - start) * (chord.root == found.key.tonic)
            for note in sheet.melody.parts[0].notes:
                above = (note.midi - chord.root) % 12
                sounding = min(note.end, end) - max(note.start, start)
                if 2 * sounding >= end - start and not (chord.suffix in DOMINANTS and above in (1, 8)):
                    clashes += (note.midi - 1) % 12 in chord.tones
        changes = [next(same) for _, same in groupby((chord for _, _, chord in chords), key=lambda chord: chord.root)]
        for before, chord in pairwise(changes):
            if chord.suffix in DOMINANTS:
                dominants += 1
                prepared += before.suffix in MINOR and (chord.root - before.root) % 12 in (5, 11)
                secondary += (chord.root - found.key.tonic) % 12 != 7
    share = 100 * prepared / max(1, dominants)
    home = 100 * tonic / total
    return Report(
        title=f"Idioms of jazz on {len(sheets)} tunes",
        rows=[
            {
                "by": "reharmonize, jazz",
                "tunes": len(sheets),
                "dominants": dominants,
                "after its ii %": share,
                "secondary or substitute %": 100 * secondary / max(1, dominants),
                "tonic %": home,
                "clashes": clashes,
            }
        ],
        summary=f"{share:.0f}% of {dominants} dominants follow their ii; {home:.0f}% of the time is tonic.",
        requirements=[
            Requirement("dominants after their ii, %", round(share, 1), 40, more_is_better=True),
            Requirement("tonic in jazz, %", round(home, 1), 33),
            Requirement("clashes with held notes", clashes, 0),
        ],
    )
