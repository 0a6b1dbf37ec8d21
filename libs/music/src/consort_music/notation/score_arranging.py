"""Prepare a notated score for engraving: choose parts and bars, write keyboards on two staves.

A plain `Score` has one staff a part. Parts of keyboard instruments that reach over both staves are divided between the
hands, and two parts of one keyboard (as the MusicXML reader returns its staves) are joined.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from consort_music.errors import MusicError
from consort_music.instruments import known_instrument
from consort_music.notation.performance_to_score.notes.hands import left_hand
from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote
from consort_music.notation.score_bars import cut_changes
from consort_music.notation.writing.instrument_writing import has_two_staves, sounding_interval
from consort_music.notation.writing.notated_score import NotatedChord, NotatedPart, NotatedScore
from consort_music.notation.writing.note_values import counted_beat
from consort_music.score import Part, Score

_LOW, _HIGH = 57, 62
"""A keyboard part needs two staves if it has notes below and above these."""
_WIDEST_VOICE = 24
"""Semitones from the lowest to the highest note of a voice that is written on one staff."""
_SHORT_NAMES = {
    "Acoustic Grand Piano": "Pno.",
    "Violin": "Vln.",
    "Viola": "Vla.",
    "Cello": "Vc.",
    "Contrabass": "Cb.",
    "Clarinet": "Cl.",
    "Flute": "Fl.",
    "Oboe": "Ob.",
    "Bassoon": "Bsn.",
    "Trumpet": "Tpt.",
    "French Horn": "Hn.",
    "Trombone": "Tbn.",
    "Alto Sax": "A. Sax",
    "Tenor Sax": "T. Sax",
    "Drums": "Dr.",
}
_NUMBERED = re.compile(r"(?:track|part|midi|channel)?\s*\d*", re.IGNORECASE)
_KEYS_OF_INSTRUMENTS = {10: "B♭", 3: "E♭", 5: "F"}
"""By semitones from the written up to the sounding note."""


def hands_on_staves(score: Score, split_pitch: int | None = None) -> Score:
    """Return the score with keyboard parts divided into two parts of one name, the right hand first.

    Single notes beside other parts, such as an alto that was typed without an instrument, stay on one staff.
    """
    parts: list[Part] = []
    for part in score.parts:
        numbers = [note.midi for note in part.notes]
        is_wide = numbers and min(numbers) < _LOW and max(numbers) > _HIGH
        if is_wide and split_pitch is None and len(score.parts) > 1:
            is_wide = max(numbers) - min(numbers) > _WIDEST_VOICE or not _has_single_notes(part)
        if is_wide and has_two_staves(part.instrument) and not _is_one_of_pair(score.parts, part):
            left = _left_hand(part, split_pitch)
            for is_left in (False, True):
                notes = [note for note, side in zip(part.notes, left, strict=True) if side == is_left]
                parts.append(Part(part.name, tuple(notes), part.instrument, () if is_left else part.lyrics))
        else:
            parts.append(part)
    return score.with_parts(parts)


def _has_single_notes(part: Part) -> bool:
    notes = sorted(part.notes, key=lambda note: note.start)
    return all(before.end <= after.start for before, after in pairwise(notes))


def _is_one_of_pair(parts: Sequence[Part], part: Part) -> bool:
    name = _without_staff(part.name)
    return sum(_without_staff(other.name) == name for other in parts) > 1


def _left_hand(part: Part, split_pitch: int | None) -> list[bool]:
    played = [PerformedNote(float(note.start), float(note.end), note.midi, note.velocity) for note in part.notes]
    together: dict[float, list[int]] = {}
    for index, note in enumerate(played):
        together.setdefault(note.onset, []).append(index)
    moments = [Moment(time, tuple(notes)) for time, notes in sorted(together.items())]
    return left_hand(played, moments, split_pitch)


def join_keyboard_staves(score: NotatedScore) -> NotatedScore:
    """Return the score with two neighbouring parts of one keyboard as one part with two staves."""
    parts: list[NotatedPart] = []
    for part in score.parts:
        before = parts[-1] if parts else None
        if before is not None and _are_hands(before, part):
            right = replace(before.staves[0], clef=before.staves[0].clef or "treble")
            left = replace(part.staves[0], clef=part.staves[0].clef or "bass")
            parts[-1] = replace(before, name=_without_staff(before.name), staves=(right, left))
        else:
            parts.append(part)
    return replace(score, parts=tuple(parts))


def _without_staff(name: str) -> str:
    """Return the name of a part without the number that the MusicXML reader gives to each of its staves."""
    return re.sub(r", staff \d+$", "", name)


def _are_hands(one: NotatedPart, other: NotatedPart) -> bool:
    return (
        len(one.staves) == len(other.staves) == 1
        and _without_staff(one.name) == _without_staff(other.name)
        and one.instrument == other.instrument
        and has_two_staves(one.instrument)
    )


def with_short_names(score: NotatedScore) -> NotatedScore:
    """Return the score with names for the second and later lines, and none if there is only one part."""
    if len(score.parts) == 1 and (len(score.parts[0].staves) == 1 or score.parts[0].staves[-1].strings):
        return replace(score, parts=(replace(score.parts[0], name="", short_name=""),))
    named = (replace(part, name=_long_name(part)) for part in score.parts)
    return replace(score, parts=tuple(replace(part, short_name=_short_name(part)) for part in named))


def _long_name(part: NotatedPart) -> str:
    """Return the name of a part: its instrument if it has only a number, and the key of a transposing instrument."""
    instrument = known_instrument(part.instrument)
    name = part.name
    if instrument and _NUMBERED.fullmatch(name.strip()):
        name = "Piano" if instrument.family == "Piano" else instrument.name
    pitch = _KEYS_OF_INSTRUMENTS.get(sounding_interval(part).semitones % 12)
    return f"{name} in {pitch}" if pitch and " in " not in name else name


def _short_name(part: NotatedPart) -> str:
    instrument = known_instrument(part.instrument)
    known = _SHORT_NAMES.get(instrument.name) if instrument else None
    words = part.name.split()
    if instrument and known and part.name.casefold() in (instrument.name.casefold(), "piano", "drums"):
        return known
    if " in " in part.name:
        return _short_name(replace(part, name=part.name.partition(" in ")[0]))
    number = f" {words.pop()}" if len(words) > 1 and words[-1].isdigit() else ""
    initials = words[0] if words and len(words[0]) <= 5 else f"{words[0][:3]}." if words else ""
    return part.short_name or initials + number


def choose_bars(score: NotatedScore, first: int, last: int | None) -> NotatedScore:
    """Return the bars from `first` to `last`. Notes that are cut by the first or last bar line keep what is inside.

    Raise INVALID_BARS if the bars are not in order or `first` is after the end.
    """
    written = {bar: score.written_number(bar)[0] for bar in score.bars}
    numbers = list(written.values())
    if last is not None and last < first:
        message = f"'last_bar' is {last}, and must not be before 'first_bar', {first}. Bars count from 1."
        raise MusicError("INVALID_BARS", message, [f"last_bar: {first}"], "last_bar")
    if first > numbers[-1]:
        message = (
            f"'first_bar' is {first}, and the piece ends in bar {numbers[-1]}. Give a bar from 1 to {numbers[-1]}."
        )
        raise MusicError("INVALID_BARS", message, [f"first_bar: {numbers[-1]}"], "first_bar")
    if first <= 1 and (last is None or last >= numbers[-1]):
        return score
    chosen = [bar for bar in score.bars if first <= written[bar] and (last is None or written[bar] <= last)]
    if first <= 1 and score.pickup and score.bars[0] not in chosen:
        chosen.insert(0, score.bars[0])
    if not chosen:
        message = f"The piece has no bars from {first} to {last}: its bars are {min(numbers)} to {max(numbers)}."
        raise MusicError("INVALID_BARS", message, [f"first_bar: {min(numbers)}"], "first_bar")
    start, end = chosen[0].start, chosen[-1].end
    shown = {bar.number for bar in chosen}
    return replace(
        score,
        parts=tuple(_cut_part(part, start, end) for part in score.parts),
        metres=cut_changes(score.metres, start, end),
        keys=cut_changes(score.keys, start, end),
        tempos=cut_changes(score.tempos, start, end),
        tempo_words=tuple((at - start, words) for at, words in score.tempo_words if start <= at < end),
        note_words=tuple((at - start, words) for at, words in score.note_words if start <= at < end),
        chords=tuple(mark._replace(start=mark.start - start) for mark in score.chords if start <= mark.start < end),
        fermatas=tuple(at - start for at in score.fermatas if start <= at < end),
        rehearsal_marks=tuple((at - start, mark) for at, mark in score.rehearsal_marks if start <= at < end),
        pickup=score.pickup if first <= 1 else Fraction(0),
        rest_to=end - start,
        bar_confidences=tuple((bar, sure) for bar, sure in score.bar_confidences if bar in shown),
        bar_alternatives=tuple(other for other in score.bar_alternatives if other.bar in shown),
        bars_before=max(first, 1) - 1,
        printed_measures=tuple(
            measure._replace(start=measure.start - start)
            for measure in score.printed_measures
            if start <= measure.start < end
        ),
        ends_piece=score.ends_piece and chosen[-1] == score.bars[-1],
    )


def _cut_part(part: NotatedPart, start: Fraction, end: Fraction) -> NotatedPart:
    def cut(chord: NotatedChord) -> NotatedChord:
        begin, finish = max(chord.start, start), min(chord.end, end)
        kept = chord if begin == chord.start else replace(chord, grace_notes=(), articulations=(), lyrics=())
        return replace(kept, start=begin - start, duration=finish - begin)

    staves = tuple(
        replace(
            staff,
            voices=tuple(
                inside
                for voice in staff.voices
                if (inside := tuple(cut(chord) for chord in voice if chord.start < end and chord.end > start))
            ),
        )
        for staff in part.staves
    )
    return replace(part, staves=staves)


def fewer_tempos(score: NotatedScore, least_change: Fraction = Fraction(1, 20)) -> NotatedScore:
    """Return the score without tempo marks that differ by less than 5% from the one before."""
    kept: list[tuple[Fraction, Fraction]] = []
    for at, bpm in score.tempos:
        if not kept or abs(bpm - kept[-1][1]) >= least_change * kept[-1][1]:
            kept.append((at, bpm))
    return replace(score, tempos=tuple(kept))


def with_whole_tempos(score: NotatedScore) -> NotatedScore:
    """Return the score with tempo marks that are whole numbers of beats: nobody plays 67.3 beats a minute."""

    def rounded(at: Fraction, bpm: Fraction) -> Fraction:
        beat = counted_beat(score.bar_lines.bar_at(at).metre)
        return max(round(bpm / beat), 1) * beat

    return replace(score, tempos=tuple((at, rounded(at, bpm)) for at, bpm in score.tempos))
