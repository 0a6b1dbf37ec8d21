"""Hear the notes of one voice with the reference in mind."""

from collections.abc import Sequence

from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.comparison.align.alignment import Alignment, align
from consort_audio.comparison.align.transposition import tuning_offset
from consort_audio.comparison.faults.faults import WEIGHTS
from consort_audio.comparison.faults.judging import judge
from consort_audio.comparison.faults.limits import PLUCKED_TAKE, SOFT_TAKE, SWELLING_TAKE, Judgement
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.doubtful_notes.ghost_notes import remove_ghosts, remove_impossible
from consort_audio.comparison.take.one_voice.doubtful_notes.second_look import look_again
from consort_audio.comparison.take.one_voice.doubtful_notes.split_notes import join_splits
from consort_audio.comparison.take.one_voice.evidence.take_evidence import TakeEvidence
from consort_audio.comparison.take.one_voice.faded_notes import with_faded_ends
from consort_audio.comparison.take.one_voice.pitch_runs import PitchRun, join_equal_pitches, join_expected
from consort_audio.comparison.take.one_voice.pitches.note_pitch import with_own_pitches
from consort_audio.comparison.take.one_voice.pitches.octaves import right_octaves
from consort_audio.comparison.take.one_voice.pitches.struck_pitch import with_struck_pitches
from consort_audio.comparison.take.one_voice.starts.own_partials import with_own_starts
from consort_audio.comparison.take.one_voice.starts.repeated_notes import cut_run
from consort_audio.comparison.take.one_voice.starts.soft_starts import settle_starts
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

_FEWEST_RUNS = 3
_RINGS_S = 0.06
_STRUCK = 0.4
_REPEATS_S, _SAME_PITCH = 0.02, 0.6
_PARTIALS = frozenset((19, 28, 31, 34))
"""Semitones from a note to its 3rd, 5th, 6th and 7th partial."""
_LOST_S, _STILL_SOUNDS = 0.1, 0.5


def hear_one_voice(recording: Recording, music: ExpectedMusic) -> tuple[Alignment, Judgement]:
    """Return the alignment of the notes of one voice, and how it is judged.

    The take is heard in two ways: with the repeated notes as `find_notes` heard them, and with runs of equal pitch that
    are cut where the reference expects it. The one with fewer and smaller faults is right: real faults are in both.
    """
    notes = [_plain(note) for note in find_notes(recording).notes_if_music]
    joined, expected_runs = join_expected(music)
    if len(notes) < 2:
        return align(music, notes), SOFT_TAKE
    tuning = tuning_offset(notes)
    evidence = _first_look(recording, joined, notes, tuning)
    notes = remove_impossible(notes, [note.pitch for note in music.notes], evidence)
    notes = _with_heard_ends(notes, evidence)
    notes = _settle_octaves(recording, joined, notes, tuning)
    if not evidence.is_plucked:
        notes = with_own_starts(recording, notes, music)
    candidates = [_by_notes(recording, music, notes, evidence)]
    if len(expected_runs) >= _FEWEST_RUNS:
        candidates.append(_by_runs(recording, music, notes, evidence, tuning))
    judgement = _judgement(evidence)
    return min(candidates, key=lambda found: _fault_weight(music, found, judgement)), judgement


def _judgement(evidence: TakeEvidence) -> Judgement:
    if evidence.is_plucked:
        return PLUCKED_TAKE
    return SWELLING_TAKE if evidence.swells else SOFT_TAKE


def _fault_weight(music: ExpectedMusic, alignment: Alignment, judgement: Judgement) -> float:
    take = judge(music, alignment, judgement)
    return sum(WEIGHTS[fault.severity] for fault in take.faults) + 2.0 * (len(take.alignment.passes) - 1)


def _by_notes(
    recording: Recording, music: ExpectedMusic, notes: Sequence[PlayedNote], evidence: TakeEvidence
) -> Alignment:
    """Align the notes as they are, without ghosts."""
    runs = [PitchRun(note, (note,)) for note in notes]
    if evidence.is_plucked:
        runs = _without_ringing(runs, evidence)
    alignment = align(music, [run.note for run in runs])
    kept = remove_ghosts(alignment.played, _placed(alignment), evidence, *_range(music, alignment))
    return _final(recording, music, align(music, kept), evidence)


def _final(recording: Recording, music: ExpectedMusic, alignment: Alignment, evidence: TakeEvidence) -> Alignment:
    """Add what was overlooked, join what was split, and measure end and pitch of each note in its own limits."""
    if evidence.is_plucked:
        alignment = align(music, with_struck_pitches(recording, music, alignment))
    alignment = align(music, look_again(recording, music, alignment, evidence))
    if not evidence.is_plucked:
        alignment = align(music, settle_starts(music, alignment, evidence))
    joined = join_splits(music, alignment, evidence)
    alignment = align(music, [note._replace(end=evidence.sound_end(note)) for note in joined])
    alignment = align(music, with_own_pitches(recording, alignment.played, _expected_pitches(music, alignment)))
    return align(music, with_faded_ends(recording, music, alignment, evidence))


def _expected_pitches(music: ExpectedMusic, alignment: Alignment) -> dict[int, float]:
    """Return the expected pitches of the paired notes, in the tuning and key of the take."""
    shift = alignment.tuning + alignment.semitones
    return {pair.played: music.notes[pair.expected].pitch + shift for each in alignment.passes for pair in each.pairs}


def _by_runs(
    recording: Recording, music: ExpectedMusic, notes: Sequence[PlayedNote], evidence: TakeEvidence, tuning: float
) -> Alignment:
    """Align runs of equal pitch, remove ghosts, and cut the runs into the notes that are expected in them."""
    joined, expected_runs = join_expected(music)
    runs = join_equal_pitches(notes, tuning)
    if evidence.is_plucked:
        runs = _without_ringing(runs, evidence)
    alignment = align(joined, [run.note for run in runs])
    cleaned = remove_ghosts([run.note for run in runs], _placed(alignment), evidence, *_range(music, alignment))
    if cleaned != [run.note for run in runs]:
        parts = [part for run in runs for part in run.parts]
        runs = join_equal_pitches(_merged(cleaned, parts, tuning), tuning)
        alignment = align(joined, [run.note for run in runs])
    found: list[PlayedNote] = []
    pairs = {pair.played: (each, pair.expected) for each in alignment.passes for pair in each.pairs}
    for index, run in enumerate(runs):
        if index not in pairs or alignment.pitches[index] != joined.notes[pairs[index][1]].pitch:
            found += cut_run(run, [run.note.start], [0.0], evidence)
            continue
        each, expected = pairs[index]
        curve = each.curve
        assert curve is not None
        first, count = expected_runs[expected]
        written = music.notes[first : first + count]
        due = [curve.at(note.start) for note in written]
        lengths = [(note.end - note.start) * curve.tempo for note in written]
        found += cut_run(run, due, lengths, evidence)
    return _final(recording, music, align(music, found), evidence)


def _range(music: ExpectedMusic, alignment: Alignment) -> tuple[int, int]:
    pitches = [note.pitch + alignment.semitones for note in music.notes]
    return min(pitches), max(pitches)


def _with_heard_ends(notes: Sequence[PlayedNote], evidence: TakeEvidence) -> list[PlayedNote]:
    """Return the notes, each until it is let go, which may be later than the pitch tracker lost it."""
    found = []
    for index, note in enumerate(notes):
        until = notes[index + 1].start if index + 1 < len(notes) else note.end
        end = evidence.sound_end(note)
        if until - note.end > _LOST_S:
            later = evidence.sound_end(note._replace(end=until))
            if later - end > _LOST_S and evidence.sounding_share(note.end, later, note.pitch) >= _STILL_SOUNDS:
                end = later
        found.append(note._replace(end=end))
    return found


def _plain(note: PlayedNote) -> PlayedNote:
    return PlayedNote(float(note.start), float(note.end), float(note.pitch), float(note.confidence), note.velocity)


def _first_look(
    recording: Recording, joined: ExpectedMusic, notes: Sequence[PlayedNote], tuning: float
) -> TakeEvidence:
    runs = join_equal_pitches(notes, tuning)
    alignment = align(joined, [run.note for run in runs])
    certain = [runs[pair.played] for each in alignment.passes for pair in each.pairs]
    return TakeEvidence(recording, [run.note for run in certain], [part for run in certain for part in run.parts])


def _settle_octaves(
    recording: Recording, joined: ExpectedMusic, notes: Sequence[PlayedNote], tuning: float
) -> list[PlayedNote]:
    """Move notes to the octave that is expected when they sound, unless the other one is believed."""
    alignment = align(joined, notes)
    pairs: list[tuple[PlayedNote, int, bool]] = []
    paired = {pair.played: pair.expected for each in alignment.passes for pair in each.pairs}
    for index, note in enumerate(alignment.played):
        expected = paired.get(index)
        if expected is None or not _may_be_same(alignment.pitches[index], joined.notes[expected].pitch):
            expected = _sounding_expected(joined, alignment, note, alignment.pitches[index])
        pitch = alignment.pitches[index] if expected is None else joined.notes[expected].pitch
        pairs.append((note, pitch, expected is not None))
    return right_octaves(recording, pairs, tuning + alignment.semitones)


def _sounding_expected(music: ExpectedMusic, alignment: Alignment, heard: PlayedNote, pitch: int) -> int | None:
    """Return the expected note in another octave, or with this as a partial, that should sound while this one does."""
    middle = (heard.start + heard.end) / 2
    for each in alignment.passes:
        if not each.begin - 0.3 <= middle <= each.end + 0.3:
            continue
        for index in range(each.first, each.last + 1):
            note = music.notes[index]
            sounds = each.expected_time(note.start) <= middle <= each.expected_time(note.end)
            if sounds and _may_be_same(pitch, note.pitch):
                return index
    return None


def _may_be_same(heard: int, expected: int) -> bool:
    """Return whether a tracker may hear one pitch as the other: in another octave, or as one of its partials."""
    return (heard - expected) % 12 == 0 or heard - expected in _PARTIALS


def _without_ringing(runs: Sequence[PitchRun], evidence: TakeEvidence) -> list[PitchRun]:
    """Let the notes of a plucked instrument begin where they are struck.

    A string that still rings is heard again when a louder one stops. Such a note has no beginning: it is left out, or
    starts later, where it is struck.
    """
    found: list[PitchRun] = []
    for run in runs:
        note = run.note
        struck = [
            each.time
            for each in evidence.beginnings(note.start - _RINGS_S, note.end - 0.03)
            if each.strength >= _STRUCK
        ]
        if not struck:
            is_soft = evidence.strike(note.pitch, note.start - _RINGS_S, note.start + _RINGS_S) is not None
            if is_soft or not found or note.start - found[-1].note.end > 0.3 or _repeats(found[-1].note, note):
                found.append(run)
            continue
        if struck[0] > note.start + _RINGS_S:
            parts = tuple(
                part._replace(start=max(part.start, struck[0])) for part in run.parts if part.end > struck[0] + 0.02
            )
            run = PitchRun(note._replace(start=struck[0]), parts or (note._replace(start=struck[0]),))
        found.append(run)
    return found


def _repeats(before: PlayedNote, note: PlayedNote) -> bool:
    """Return whether a note was heard as a repetition of the one before, not as its lingering sound."""
    return note.start - before.end < _REPEATS_S and abs(note.pitch - before.pitch) < _SAME_PITCH


def _merged(cleaned: Sequence[PlayedNote], parts: Sequence[PlayedNote], tuning: float) -> list[PlayedNote]:
    """Return the parts of the cleaned notes; a note begins with its first part and lasts as long as the cleaned one."""
    found: list[PlayedNote] = []
    for note in cleaned:
        own = [
            part
            for part in parts
            if note.start - 1e-6 <= part.start < note.end and round(part.pitch - tuning) == round(note.pitch - tuning)
        ]
        if not own:
            found.append(note)
            continue
        own[0] = own[0]._replace(start=min(note.start, own[0].start))
        own[-1] = own[-1]._replace(end=max(note.end, own[-1].end))
        found += own
    return found


def _placed(alignment: Alignment) -> list[bool]:
    paired = {pair.played for each in alignment.passes for pair in each.pairs}
    return [index in paired for index in range(len(alignment.played))]
