"""Find the wishes that a melody does not meet. Each gets a message and a measure."""

from collections.abc import Iterator, Sequence

from consort_compose.composer.melody.engine import step_share
from consort_compose.composer.melody.engine.contour import GOOD_FIT, contour_fit, relative_times, worst_measure
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest, NoteTiming, RelaxedWish
from consort_music.measure_ranges import list_first, measures_in_words
from consort_music.metre import STRONG


def find_relaxed_wishes(
    request: MelodyRequest, timings: Sequence[NoteTiming], pitches: Sequence[int], indices: Sequence[int]
) -> Iterator[RelaxedWish]:
    """Yield each wish that is missed. `indices` are the indices of the pitches in the register's scale notes."""
    yield from _density(request, timings)
    yield from _steps(request, timings, indices)
    yield from _contour(request, timings, pitches)
    yield from _chords(request, timings, pitches)


def _density(request: MelodyRequest, timings: Sequence[NoteTiming]) -> Iterator[RelaxedWish]:
    _, most = request.notes_per_bar()
    counts = [sum(timing.measure == measure for timing in timings) for measure in range(1, request.measures + 1)]
    fullest = max(counts)
    if fullest > most:
        yield RelaxedWish(
            f"end_note could only be reached with more notes than {request.density} allows: up to {fullest} a measure.",
            counts.index(fullest) + 1,
        )


def _steps(request: MelodyRequest, timings: Sequence[NoteTiming], indices: Sequence[int]) -> Iterator[RelaxedWish]:
    """Yield a wish at the first step if there are too many steps, or at the first leap if there are too many leaps."""
    if request.prefer_stepwise is None or step_share.is_met(indices, request.prefer_stepwise):
        return
    share = step_share.step_ratio(indices)
    too_many_steps = share > request.prefer_stepwise
    notes = range(1, len(indices))
    first = next((note for note in notes if (abs(indices[note] - indices[note - 1]) <= 1) == too_many_steps), 1)
    measure = timings[first].measure
    yield RelaxedWish(
        f"prefer_stepwise {request.prefer_stepwise:g} could not be met: {share:.2f} of the moves are steps, from "
        f"measure {measure} on.",
        measure,
    )


def _contour(request: MelodyRequest, timings: Sequence[NoteTiming], pitches: Sequence[int]) -> Iterator[RelaxedWish]:
    contour, measures = request.contour, request.measures
    if contour is not None and contour_fit(contour, relative_times(timings), pitches, measures) < GOOD_FIT:
        yield RelaxedWish(
            f"The {contour} contour could not be kept with the other constraints.",
            worst_measure(contour, timings, pitches, measures),
        )


def _chords(request: MelodyRequest, timings: Sequence[NoteTiming], pitches: Sequence[int]) -> Iterator[RelaxedWish]:
    """Yield one wish for all notes on strong beats that are not chord tones."""
    found: dict[str, None] = {}
    measures = set()
    for timing, midi in zip(timings, pitches, strict=True):
        span = next((span for span in request.chords if span.start <= timing.onset < span.end), None)
        if span and timing.strength >= STRONG and midi % 12 not in span.chord.pitch_classes:
            measures.add(timing.measure)
            found.setdefault(f"{request.key.spell(midi).name} over {span.chord.name}")
    if found:
        yield RelaxedWish(
            f"In {measures_in_words(measures)} a note on a strong beat is not in its chord: {list_first(found)}.",
            min(measures),
        )
