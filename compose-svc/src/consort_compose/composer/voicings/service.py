"""What the voicing tools answer: the wish read from the body, the engine, its result put into words."""

from collections.abc import Sequence
from fractions import Fraction

from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.voicings.as_score import as_score, as_score_in_time
from consort_compose.composer.voicings.leading import motion
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
from consort_compose.composer.voicings.progression import Step, realize_progression
from consort_compose.composer.voicings.realize import (
    Voicing,
    Wish,
    dropped_tones,
    inversion_bass,
    left_out,
    realize,
    with_bass,
)
from consort_compose.songs.chord_plan import ChordPlan
from consort_music.bars import Bar
from consort_music.chords import ChordSymbol, NoteName, parse_chord
from consort_music.chords.layout import ChordSpan, progression_over
from consort_music.chords.progression import read_progression
from consort_music.errors import MusicError, in_field, quoted
from consort_music.intervals import between
from consort_music.metre import COMMON_TIME
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.pitch import Pitch, parse_pitch_class
from consort_music.score import Score

_WHOLE = Fraction(4)


def voice(body: RealizeChord) -> tuple[RealizedChord, Score, list[ComposerWarning]]:
    chord = parse_chord(body.chord_symbol)
    low, high = _range(body.range_low, body.range_high)
    remarks: list[str] = []
    bass = None
    if body.inversion is not None and not chord.is_no_chord:
        bass = inversion_bass(chord, body.inversion)
    if body.bass_note:
        named = NoteName(*parse_pitch_class(body.bass_note))
        if body.inversion and bass != named.pitch_class:
            remarks.append(f"The bass is bass_note, {body.bass_note}; inversion {body.inversion} was not used.")
        if not chord.is_no_chord:
            chord = with_bass(chord, named)
        bass = None
    elif chord.bass is not None:
        if body.inversion and bass != chord.bass.pitch_class:
            remarks.append(f"{chord.name} names its own bass, so inversion {body.inversion} was not used.")
        bass = None
    previous = (
        tuple(sorted({Pitch.parse(note).midi for note in body.previous_voicing})) if body.previous_voicing else None
    )
    result = realize(Wish(chord, body.instrument, body.voicing_style, bass, low, high, previous))
    voicing, pitches = result.voicing, result.pitches
    score = as_score([Step(chord, voicing, pitches)], body.instrument, _WHOLE)
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
            intervals_from_bass=[between(pitches[0], pitch).name for pitch in pitches[1:]],
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
    return data, score, _relaxed([*remarks, *result.remarks])


def voice_all(
    body: RealizeProgression, plan: ChordPlan | None = None
) -> tuple[RealizedProgression, Score, list[ComposerWarning]]:
    """Voice the chords of the body, or those planned in a song."""
    if body.song_id and body.chords:
        message = "Both 'chords' and 'song_id' are given. Give chords, or song_id for the chords planned in a song."
        raise MusicError("INVALID_INPUT", message, field="chords")
    if body.section and not body.song_id:
        message = (
            f"'section' is {quoted(body.section)}, a section of a song. Give its song_id too, or leave section out."
        )
        raise MusicError("INVALID_INPUT", message, field="section")
    spans, metre = plan or (_laid_out(body), COMMON_TIME)
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
            "All chords are N.C., which means no chord. Give at least one, such as C.",
            ["C"],
            "chords",
        )
    low, high = _range(body.range_low, body.range_high)
    inversions = body.instrument == "piano" if body.inversions is None else body.inversions
    result = realize_progression(chords, body.instrument, body.voicing_style, inversions=inversions, low=low, high=high)
    score = as_score_in_time(result.steps, body.instrument, [(span.start, span.end) for span in spans], metre)
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
        told = "; ".join(f"{tones} of {name}" for name, tones in dropped.items())
        remarks.append(f"The voicings have no room for {told}.")
    data = RealizedProgression(
        chords=[_progression_chord(step) for step in result.steps],
        musicxml=write_musicxml(score) if body.include_musicxml else None,
        motion=result.motion,
        faults=[
            PartWritingFault(chord=fault.position + 1, kind=fault.kind, voices=list(fault.voices))
            for fault in result.faults
        ],
    )
    return data, score, _relaxed(remarks)


def _laid_out(body: RealizeProgression) -> list[ChordSpan]:
    """Bar notation shares each bar among its chords; in a list each chord lasts as long as the others."""
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


def _progression_chord(step: Step) -> ProgressionChord:
    return ProgressionChord(
        chord=step.chord.name,
        notes=[pitch.name for pitch in step.pitches],
        midi_pitches=[pitch.midi for pitch in step.pitches],
        style=(step.voicing.style or "free") if step.voicing else None,
        frets=_frets(step.voicing) if step.voicing else None,
    )


def _range(low: str | None, high: str | None) -> tuple[int | None, int | None]:
    lowest = Pitch.parse(low).midi if low else None
    highest = Pitch.parse(high).midi if high else None
    if lowest is not None and highest is not None and lowest >= highest:
        raise MusicError(
            "INVALID_RANGE",
            f"'range_low' is {low}, and must be below 'range_high', {high}. Exchange them: range_low {high}, "
            f"range_high {low}.",
            [],
            "range_low",
        )
    return lowest, highest


def _relaxed(remarks: Sequence[str]) -> list[ComposerWarning]:
    return [ComposerWarning(code="CONSTRAINT_RELAXED", message=remark) for remark in remarks]


def _frets(voicing: Voicing) -> list[int | None] | None:
    return list(voicing.fingering.frets) if voicing.fingering else None


def _players(voicing: Voicing, pitches: Sequence[Pitch]) -> dict[str, list[str]] | None:
    if voicing.players is None:
        return None
    names = {pitch.midi: pitch.name for pitch in pitches}
    return {player: [names[note] for note in notes] for player, notes in voicing.players.items()}


def _inversion(chord: ChordSymbol, bass: int) -> int | None:
    classes = [tone.pitch_class for tone in chord.tones]
    return classes.index(bass % 12) if bass % 12 in classes else None
