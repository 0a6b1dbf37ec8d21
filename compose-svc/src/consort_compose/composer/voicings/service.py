"""Run the voicing tools: turn the body into an engine request, run the engine, and fill the output models."""

from collections.abc import Sequence
from fractions import Fraction

from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.voicings.engine.least_motion import motion
from consort_compose.composer.voicings.engine.progression import ProgressionStep, realize_progression
from consort_compose.composer.voicings.engine.single_chord import (
    Voicing,
    VoicingRequest,
    dropped_tones,
    inversion_bass,
    left_out,
    realize_chord,
    with_bass,
)
from consort_compose.composer.voicings.models import (
    MOST_CHORDS,
    AlternativeVoicing,
    PartWritingFault,
    ProgressionChord,
    RealizeChord,
    RealizedChord,
    RealizedProgression,
    RealizeProgression,
    VoicedChord,
    VoicingAnalysis,
)
from consort_compose.composer.voicings.voicing_score import score_of_equal_steps, score_of_steps
from consort_compose.songs.document.chord_plan import ChordPlan
from consort_music.bars import Bar
from consort_music.chords.grammar import parse_chord
from consort_music.chords.progression import progression_over, read_progression
from consort_music.chords.symbol import ChordSymbol, alternative_remarks, note_text
from consort_music.chords.timed_chords import ChordSpan
from consort_music.errors import MusicError, in_field, quoted
from consort_music.intervals import interval_between
from consort_music.metre import COMMON_TIME
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.pitch import Pitch
from consort_music.score import Score

_WHOLE = Fraction(4)


def voice_chord(body: RealizeChord) -> tuple[RealizedChord, Score, list[ComposerWarning]]:
    """Voice one chord. Return the data for the answer, the music and the warnings."""
    chord = body.chord_symbol
    low, high = _midi_range(body.range_low, body.range_high)
    remarks: list[str] = []
    bass = None
    if body.inversion is not None and not chord.is_no_chord:
        bass = inversion_bass(chord, body.inversion)
    if body.bass_note:
        if body.inversion and bass != body.bass_note.pitch_class:
            bass_name = note_text(body.bass_note)
            remarks.append(f"The bass is bass_note, {bass_name}; inversion {body.inversion} was not used.")
        if not chord.is_no_chord:
            chord = with_bass(chord, body.bass_note)
        bass = None
    elif chord.bass is not None:
        if body.inversion and bass != chord.bass.pitch_class:
            remarks.append(f"{chord.name} names its own bass, so inversion {body.inversion} was not used.")
        bass = None
    previous = tuple(sorted({note.midi for note in body.previous_voicing})) if body.previous_voicing else None
    result = realize_chord(VoicingRequest(chord, body.instrument, body.voicing_style, bass, low, high, previous))
    voicing, pitches = result.voicing, result.pitches
    score = score_of_equal_steps([ProgressionStep(chord, voicing, pitches)], body.instrument, _WHOLE)
    data = RealizedChord(
        voicing=VoicedChord(
            notes=[pitch.name for pitch in pitches],
            midi_pitches=list(voicing.notes),
            musicxml=write_musicxml(score) if body.include_musicxml else None,
            frets=_frets(voicing),
            barre=voicing.fingering.barre if voicing.fingering else None,
            players=_players(voicing, pitches),
        ),
        analysis=VoicingAnalysis(
            chord=chord.name,
            chord_quality=chord.quality,
            voicing_style=voicing.style or "free",
            inversion=_inversion(chord, voicing.notes[0]),
            intervals_from_bass=[interval_between(pitches[0], pitch).name for pitch in pitches[1:]],
            left_out=left_out(chord, voicing.notes),
            motion=motion(previous, voicing.notes) if previous else None,
        ),
        alternatives=[
            AlternativeVoicing(
                notes=[pitch.name for pitch in spelled],
                midi_pitches=list(other.notes),
                style=other.style or "free",
                frets=_frets(other),
            )
            for other, spelled in result.alternatives
        ],
    )
    return data, score, [*_input_warnings([body.chord_symbol]), *_warnings([*remarks, *result.remarks])]


def voice_progression(
    body: RealizeProgression, plan: ChordPlan | None = None
) -> tuple[RealizedProgression, Score, list[ComposerWarning]]:
    """Voice the chords of the body, or of a song's `plan` if given. Return the data, the music and the warnings.

    Raise INVALID_INPUT if chords, song_id and section do not fit together, TOO_LARGE if there are too many chords, and
    INVALID_CHORD_SYMBOL if all chords are N.C.
    """
    if body.song_id and body.chords:
        message = "Both 'chords' and 'song_id' are given. Give one: chords, or song_id for a song's planned chords."
        raise MusicError("INVALID_INPUT", message, field="chords")
    if body.section and not body.song_id:
        message = (
            f"'section' is {quoted(body.section)}, but there is no song. Give its song_id too, or leave section out."
        )
        raise MusicError("INVALID_INPUT", message, field="section")
    spans, metre = plan or (_chord_spans(body), COMMON_TIME)
    if len(spans) > MOST_CHORDS:
        raise MusicError(
            "TOO_LARGE",
            f"There are {len(spans)} chords. Give at most {MOST_CHORDS} at once, or one section of the song.",
            field="section" if plan else "chords",
        )
    chords = [span.chord for span in spans]
    if all(chord.is_no_chord for chord in chords):
        raise MusicError(
            "INVALID_CHORD_SYMBOL",
            "'chords' has only N.C., which means no chord. Give at least one chord, such as C.",
            ["C"],
            "chords",
        )
    low, high = _midi_range(body.range_low, body.range_high)
    inversions = body.instrument == "piano" if body.inversions is None else body.inversions
    result = realize_progression(chords, body.instrument, body.voicing_style, inversions=inversions, low=low, high=high)
    score = score_of_steps(result.steps, body.instrument, [(span.start, span.end) for span in spans], metre)
    remarks = []
    if body.voicing_style and body.instrument in ("satb", "strings"):
        remarks.append(f"Part writing decides the positions for {body.instrument}; voicing_style was not used.")
    elif body.voicing_style:
        others = [step.chord.name for step in result.steps if step.voicing and step.voicing.style != body.voicing_style]
        if others:
            remarks.append(
                f"There is no {body.voicing_style} voicing for {', '.join(dict.fromkeys(others))} here; another "
                "style was used."
            )
    dropped = {
        step.chord.name: ", ".join(tones)
        for step in result.steps
        if step.voicing and (tones := dropped_tones(step.chord, step.voicing.notes))
    }
    if dropped:
        missing = "; ".join(f"{tones} of {name}" for name, tones in dropped.items())
        remarks.append(f"The voicings have no room for {missing}.")
    data = RealizedProgression(
        chords=[_progression_chord(step) for step in result.steps],
        musicxml=write_musicxml(score) if body.include_musicxml else None,
        motion=result.motion,
        faults=[
            PartWritingFault(chord=fault.position + 1, kind=fault.kind, voices=list(fault.voices))
            for fault in result.faults
        ],
    )
    return data, score, [*_input_warnings(chords), *_warnings(remarks)]


def _chord_spans(body: RealizeProgression) -> list[ChordSpan]:
    """Return the chords with their times.

    In bar notation the chords of a bar share its length equally. In a list each chord has the length of a bar.
    """
    written, length = body.chords or [], Fraction(body.beats)
    if not written:
        message = "Give chords, such as Fmaj7 | Gm7 C7, or song_id for the chords planned in a song."
        raise MusicError("INVALID_INPUT", message, ["Fmaj7 | Gm7 C7"], "chords")
    has_bar_lines = any("|" in entry for entry in written)
    if has_bar_lines or (len(written) == 1 and len(written[0].split()) > 1):
        text = " | ".join(entry.strip("| ") for entry in written) if len(written) > 1 else written[0]
        with in_field("chords"):
            count = len(read_progression(text))
            bars = [Bar(number + 1, number * length, length, COMMON_TIME) for number in range(count)]
            return progression_over(text, bars)
    spans = []
    for place, symbol in enumerate(written):
        with in_field(f"chords.{place}"):
            spans.append(ChordSpan(place * length, (place + 1) * length, parse_chord(symbol)))
    return spans


def _progression_chord(step: ProgressionStep) -> ProgressionChord:
    return ProgressionChord(
        chord=step.chord.name,
        notes=[pitch.name for pitch in step.pitches],
        midi_pitches=[pitch.midi for pitch in step.pitches],
        style=(step.voicing.style or "free") if step.voicing else None,
        frets=_frets(step.voicing) if step.voicing else None,
    )


def _midi_range(low: Pitch | None, high: Pitch | None) -> tuple[int | None, int | None]:
    if low is not None and high is not None and low.midi >= high.midi:
        raise MusicError(
            "INVALID_RANGE",
            f"'range_low' is {low.name}, but must be below 'range_high', {high.name}. Swap them: range_low "
            f"{high.name}, range_high {low.name}.",
            [],
            "range_low",
        )
    return None if low is None else low.midi, None if high is None else high.midi


def _warnings(remarks: Sequence[str]) -> list[ComposerWarning]:
    return [ComposerWarning(code="CONSTRAINT_RELAXED", message=remark) for remark in remarks]


def _input_warnings(chords: Sequence[ChordSymbol]) -> list[ComposerWarning]:
    return [ComposerWarning(code="INPUT", message=remark) for remark in alternative_remarks(chords)]


def _frets(voicing: Voicing) -> list[int | None] | None:
    return list(voicing.fingering.frets) if voicing.fingering else None


def _players(voicing: Voicing, pitches: Sequence[Pitch]) -> dict[str, list[str]] | None:
    if voicing.players is None:
        return None
    names = {pitch.midi: pitch.name for pitch in pitches}
    return {player: [names[note] for note in notes] for player, notes in voicing.players.items()}


def _inversion(chord: ChordSymbol, bass: int) -> int | None:
    """Return the index of the chord tone in the bass (0 for the root), or None if the bass is not a chord tone."""
    classes = [tone.pitch_class for tone in chord.tones]
    return classes.index(bass % 12) if bass % 12 in classes else None
