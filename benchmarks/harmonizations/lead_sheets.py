"""Write ten public-domain tunes with the first option of reharmonize in four styles, as lead sheets in ABC.

    consort bench harmony --task lead_sheets

The file `lead_sheets.abc` beside this module is rewritten, to be judged by a musician. The table has what can be
counted: how many chords there are, how many different ones, and whether the last cadence is one of the style. The tunes
are from the tune split, because faults that are seen here may lead to changes of the engine; Amazing Grace is added.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

from benchmarks.harmonizations.printed_chords import STYLES, ends_with_cadence
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_compose.composer.harmony.harmonize.models import Reharmonize
from consort_compose.composer.harmony.harmonize.service import find_harmonizations
from consort_music.notation.abc.writer import write_abc
from consort_music.notation.read_music import read_music
from consort_music.score import Score
from evaluation.corpora.lead_sheets import lead_sheets

FILE = Path(__file__).with_suffix(".abc")
TITLES = (
    "Auld Lang Syne", "God Rest Ye Merry Gentlemen", "Home on the Range", "Kesh Jig", "Minuet in G (Petzold)",
    "Ode to Joy", "Scarborough Fair", "Silent Night", "Wayfaring Stranger",
)  # fmt: skip
AMAZING_GRACE = "M:3/4\nL:1/4\nK:G\nD|G2B/G/|B2A|G2E|D2D|G2B/G/|B2A|d3-|d2B|d2B/G/|B2A|G2E|D2D|G2B/G/|B2A|G3-|G2|]"
_LEAST_CADENCES = 36


def run(_options: BenchOptions) -> Report:
    rows: list[Row] = []
    texts = []
    for title, melody in tunes().items():
        for style in STYLES:
            body = Reharmonize.model_validate(
                {"melody": "score", "style": style, "texture": "lead_sheet", "num_options": 1}
            )
            found = find_harmonizations(melody, body)
            option = found.options[0]
            roots = [span.chord.root_pitch_class or 0 for span in option.chords]
            texts.append(write_abc(replace(option.score, title=f"{title} ({style})")))
            rows.append(
                {
                    "tune": title,
                    "style": style,
                    "key": found.key.name,
                    "chords": len(option.chords),
                    "different": len({span.chord.name for span in option.chords}),
                    "cadence": "yes" if ends_with_cadence(roots, found.key.tonic, style) else "no",
                }
            )
    numbered = [text.replace("X:1", f"X:{number}", 1) for number, text in enumerate(texts, 1)]
    FILE.write_text("\n\n".join(text.strip() for text in numbered) + "\n")
    cadences = sum(row["cadence"] == "yes" for row in rows)
    return Report(
        title=f"Lead sheets of {len(tunes())} tunes in {len(STYLES)} styles, in {FILE.name}",
        rows=rows,
        summary=f"{cadences} of {len(rows)} end with a cadence of the style.",
        requirements=[Requirement("lead sheets with a cadence", cadences, _LEAST_CADENCES, more_is_better=True)],
    )


@cache
def tunes() -> dict[str, Score]:
    by_title = {sheet.title: sheet.melody for sheet in lead_sheets("tune")}
    return {"Amazing Grace": read_music(AMAZING_GRACE)[0]} | {title: by_title[title] for title in TITLES}
