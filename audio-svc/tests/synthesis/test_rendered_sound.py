"""Rendered music has the right notes at the right times, at the right level and length."""

import math
from typing import Any

import mido
import numpy as np
import pytest
from mir_eval.transcription import precision_recall_f1_overlap
from mir_eval.util import midi_to_hz

from consort_music.errors import MusicError
from tests.support.bs1770 import integrated_loudness
from tests.support.midi_files import midi_bytes
from tests.support.pitch_tracking import heard_notes, onsets
from tests.support.rendering import SCALE, Rendering, scale_file

CEILING = 10 ** (-1 / 20)


@pytest.mark.parametrize(
    ("program", "shift", "tolerance_s"),
    [(0, 0, 0.05), (25, 0, 0.05), (33, -12, 0.05), (56, 0, 0.05), (40, 12, 0.12), (73, 12, 0.08)],
    ids=["piano", "guitar", "bass", "trumpet", "violin", "flute"],
)
def test_a_scale_has_the_right_notes_at_the_right_times(
    rendering: Rendering, program: int, shift: int, tolerance_s: float
) -> None:
    """Notes of a violin and a flute begin slowly, so the tracker hears them later."""
    sound = rendering(scale_file(program, shift))
    notes = heard_notes(sound.mono, sound.sample_rate)
    wanted_times = np.array([[place / 2, place / 2 + 0.4] for place in range(len(SCALE))])
    heard_times = np.array([[note.onset_s, note.onset_s + 0.4] for note in notes])
    precision, recall, _, _ = precision_recall_f1_overlap(
        wanted_times,
        midi_to_hz(np.array(SCALE) + shift),
        heard_times,
        midi_to_hz(np.array([note.pitch for note in notes])),
        onset_tolerance=tolerance_s,
        offset_ratio=None,
    )
    assert (precision, recall) == (1, 1), notes
    assert sound.outcome.programs == [program]


@pytest.mark.parametrize("sample_rate", [22_050, 44_100, 96_000])
def test_the_length_is_the_music_and_the_tail(rendering: Rendering, sample_rate: int) -> None:
    sound = rendering(scale_file(), tail_s=1.5, sample_rate=sample_rate)
    assert len(sound.samples) == round(5.5 * sample_rate) and sound.sample_rate == sample_rate
    assert sound.outcome.duration_s == 5.5
    assert [note.pitch for note in heard_notes(sound.mono, sample_rate)] == list(SCALE)


@pytest.mark.parametrize("ticks", [1, 60, 479, 480, 481, 1500, 2000, 4096])
def test_the_length_is_that_of_the_music_without_a_tail(rendering: Rendering, ticks: int) -> None:
    """The last note ends with the sound, before or after the step of 64 frames that its end is rounded to."""
    track = [mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=ticks)]
    sound = rendering(midi_bytes(track), tail_s=0)
    assert len(sound.samples) == max(1, round(ticks / 960 * sound.sample_rate))


@pytest.mark.parametrize("format", ["wav", "flac", "ogg", "mp3"])
def test_every_format_has_the_same_length_and_notes(rendering: Rendering, format: str) -> None:
    sound = rendering(scale_file(), format=format)
    assert abs(len(sound.samples) / sound.sample_rate - 5) < 0.05
    notes = heard_notes(sound.mono, sound.sample_rate)
    assert [note.pitch for note in notes] == list(SCALE)
    assert max(abs(note.onset_s - place / 2) for place, note in enumerate(notes)) < 0.05


@pytest.mark.long
def test_every_program_and_drum_is_heard(rendering: Rendering) -> None:
    """Each program plays one note, then each drum of General MIDI."""
    step_s, hit_s = 0.2, 0.05
    melodic = []
    for program in range(128):
        melodic.append(mido.Message("program_change", program=program))
        melodic.append(mido.Message("note_on", note=60, velocity=100))
        melodic.append(mido.Message("note_off", note=60, time=96))
        melodic.append(mido.Message("control_change", control=120, time=96))  # silence before the next one
    drums: list[mido.Message] = []
    for drum in range(35, 82):
        wait = round(128 * step_s * 960) if drum == 35 else 0
        drums.append(mido.Message("note_on", channel=9, note=drum, velocity=100, time=wait))
        drums.append(mido.Message("note_off", channel=9, note=drum, time=round(hit_s * 960)))
    sound = rendering(midi_bytes(melodic, drums), reverb=0.0, sample_rate=22_050)
    assert sound.outcome.programs == list(range(128)) and sound.outcome.has_drums
    levels = [_level(sound.mono, sound.sample_rate, place * step_s, step_s) for place in range(128)]
    assert min(levels) > 1e-4, f"program {int(np.argmin(levels))} is silent"
    begin = 128 * step_s
    hits = [_level(sound.mono, sound.sample_rate, begin + place * hit_s, hit_s) for place in range(47)]
    assert min(hits) > 1e-4, f"drum {35 + int(np.argmin(hits))} is silent"
    assert np.abs(sound.samples).max() <= CEILING


@pytest.mark.parametrize(
    ("content", "target"),
    [(scale_file(48), -16.0), (scale_file(0, -24, velocity=30), -20.0), (scale_file(73, 12, velocity=127), -23.0)],
    ids=["strings", "soft low piano", "loud flute"],
)
def test_loudness_is_the_target(rendering: Rendering, content: bytes, target: float) -> None:
    sound = rendering(content, loudness=target, reverb=0.25)
    measured = integrated_loudness(sound.samples, sound.sample_rate)
    assert abs(measured - target) < 0.5
    assert sound.outcome.loudness is not None and abs(sound.outcome.loudness - measured) < 0.1
    assert sound.outcome.warnings == []


def test_gain_stops_below_clipping_with_a_warning(rendering: Rendering) -> None:
    """Short hits with rests between them have peaks far above their loudness."""
    hits = []
    for _ in range(4):
        hits.append(mido.Message("note_on", channel=9, note=37, velocity=127, time=960))
        hits.append(mido.Message("note_off", channel=9, note=37, time=48))
    sound = rendering(midi_bytes(hits), loudness=-8.0)
    peak = np.abs(sound.samples).max()
    assert 0.98 * CEILING < peak <= CEILING
    assert sound.outcome.loudness is not None and sound.outcome.loudness < -10
    assert f"The loudness is {sound.outcome.loudness:.1f} LUFS instead of -8" in sound.outcome.warnings[0]


def test_without_a_target_the_level_follows_the_velocity(rendering: Rendering) -> None:
    soft, loud = (rendering(scale_file(0, velocity=velocity), loudness=None).outcome for velocity in (40, 110))
    assert soft.loudness is not None and loud.loudness is not None and loud.loudness - soft.loudness > 6


def test_reverb_lengthens_the_sound(rendering: Rendering) -> None:
    """After a short note, more reverb leaves more energy."""
    file = midi_bytes([mido.Message("note_on", note=72), mido.Message("note_off", note=72, time=96)])
    rest = []
    for reverb in (0.0, 0.3, 1.0):
        sound = rendering(file, reverb=reverb, program=12, tail_s=2.0)
        rest.append(_level(sound.mono, sound.sample_rate, 0.8, 0.6) / np.abs(sound.mono).max())
    assert rest[0] < rest[1] / 2 and rest[1] < rest[2] / 2


def test_the_end_is_faded_even_if_the_sound_goes_on(rendering: Rendering) -> None:
    """The file holds a string chord and never ends it; without a fade the sound would end with a click."""
    chord = [mido.Message("program_change", program=48)]
    chord += [mido.Message("note_on", note=pitch, velocity=100) for pitch in (60, 64, 67)]
    chord.append(mido.MetaMessage("end_of_track", time=1920))
    sound = rendering(midi_bytes(chord), tail_s=0.0)
    assert len(sound.samples) == 2 * sound.sample_rate
    assert _level(sound.mono, sound.sample_rate, 1.5, 0.4) > 0.01
    assert np.abs(sound.samples[-10:]).max() < 1e-3


def two_tracks() -> bytes:
    """Return a low bass note and a high flute note at the same time, in tracks with names."""
    return midi_bytes(
        *(
            [
                mido.MetaMessage("track_name", name=name),
                mido.Message("program_change", channel=channel, program=program),
                mido.Message("note_on", channel=channel, note=pitch, velocity=90),
                mido.Message("note_off", channel=channel, note=pitch, time=960),
            ]
            for channel, (name, program, pitch) in enumerate((("Bass", 33, 40), ("Flute", 73, 88)))
        )
    )


@pytest.mark.parametrize(
    ("options", "heard"),
    [
        ({"mute": ["flute"]}, (40, [33])),
        ({"mute": [0]}, (88, [73])),
        ({"solo": ["Flute"]}, (88, [73])),
        ({"solo": [0, 1], "mute": [1]}, (40, [33])),
    ],
)
def test_mute_and_solo(rendering: Rendering, options: dict[str, Any], heard: tuple[int, list[int]]) -> None:
    sound = rendering(two_tracks(), **options)
    pitches = {note.pitch for note in heard_notes(sound.mono, sound.sample_rate)}
    assert (pitches, sound.outcome.programs) == ({heard[0]}, heard[1])


def test_a_muted_piece_is_silent_and_says_so(rendering: Rendering) -> None:
    sound = rendering(two_tracks(), mute=[0, 1])
    assert not sound.samples.any() and sound.outcome.loudness is None and sound.outcome.peak_db is None
    assert [text.partition(",")[0] for text in sound.outcome.warnings] == ["Every track with notes is muted"]
    assert sound.outcome.warnings[0].endswith("Tracks: Bass, Flute.")


def test_an_unknown_track_is_named(rendering: Rendering) -> None:
    with pytest.raises(MusicError) as error:
        rendering(two_tracks(), solo=["Cello"])
    assert error.value.field == "solo" and "Bass" in error.value.message


def silence(numerator: int, denominator: int, quarters: int, bpm: float = 120) -> bytes:
    """Return a file without notes, so that only clicks are heard."""
    return midi_bytes(
        [
            mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(bpm)),
            mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator),
            mido.Message("control_change", channel=9, control=7, value=0),  # clicks do not follow the drums' volume
            mido.MetaMessage("end_of_track", time=480 * quarters),
        ]
    )


@pytest.mark.parametrize(
    ("metre", "options", "clicks"),
    [
        ((4, 4), {"count_in_bars": 1}, [0, 0.5, 1, 1.5]),
        ((3, 4), {"metronome": True}, [0, 0.5, 1, 1.5, 2, 2.5]),
        ((3, 4), {"count_in_bars": 1, "metronome": True}, [place / 2 for place in range(9)]),
        ((6, 8), {"metronome": True}, [0, 0.75, 1.5, 2.25]),
        ((3, 4), {"metronome": True, "first_bar": 2}, [0, 0.5, 1]),
    ],
)
def test_clicks_are_on_the_beats(
    rendering: Rendering, metre: tuple[int, int], options: dict[str, Any], clicks: list[float]
) -> None:
    sound = rendering(silence(*metre, quarters=6), reverb=0.0, **options)
    heard = onsets(sound.mono, sound.sample_rate)
    assert len(heard) == len(clicks)
    assert max(abs(ours - wanted) for ours, wanted in zip(heard, clicks, strict=True)) < 0.02
    lead = 2.0 if options == {"count_in_bars": 1} else 1.5 if "count_in_bars" in options else 0.0
    music = 1.5 if "first_bar" in options else 3.0
    assert sound.outcome.duration_s == lead + music + 1


def test_the_first_beat_has_a_higher_click(rendering: Rendering) -> None:
    sound = rendering(silence(4, 4, 4), reverb=0.0, metronome=True)
    strongest = []
    for place in range(4):
        start = round(place * 0.5 * sound.sample_rate)
        strongest.append(int(np.argmax(np.abs(np.fft.rfft(sound.mono[start : start + 4096])))))
    assert strongest[0] > 1.15 * max(strongest[1:])


def test_music_follows_the_count_in(rendering: Rendering) -> None:
    sound = rendering(scale_file(), count_in_bars=2)
    music = heard_notes(sound.mono[round(3.95 * sound.sample_rate) :], sound.sample_rate)
    assert [note.pitch for note in music] == list(SCALE)
    assert abs(music[0].onset_s - 0.05) < 0.05 and sound.outcome.duration_s == 9


def test_bars_select_a_part_with_its_instrument(rendering: Rendering) -> None:
    """The part begins with the program that was chosen before it, and ends with its last bar."""
    sound = rendering(scale_file(56), first_bar=2, last_bar=2)
    assert [note.pitch for note in heard_notes(sound.mono, sound.sample_rate)] == list(SCALE[4:])
    assert sound.outcome.programs == [56] and sound.outcome.duration_s == 3
    first = rendering(scale_file(56), last_bar=1, tail_s=0.5)
    assert {note.pitch for note in heard_notes(first.mono, first.sample_rate)} == set(SCALE[:4])
    assert first.outcome.duration_s == 2.5


def test_an_instrument_replaces_all_but_the_drums(rendering: Rendering) -> None:
    drums = [mido.Message("note_on", channel=9, note=38), mido.Message("note_off", channel=9, note=38, time=480)]
    file = midi_bytes(drums, [mido.Message("program_change", channel=1, program=33), *_note(1, 60), *_note(2, 62)])
    sound = rendering(file, program=40)
    assert sound.outcome.programs == [40] and sound.outcome.has_drums
    on_drums = rendering(file, is_drums=True).outcome
    assert on_drums.programs == [] and on_drums.has_drums


def test_a_reset_in_the_file_keeps_the_instrument_of_the_user(rendering: Rendering) -> None:
    """After a reset, channels play the piano, unless the user has chosen an instrument."""
    high = [mido.Message("note_on", note=96, velocity=100), mido.Message("note_off", note=96, time=1920)]
    reset = mido.Message("sysex", data=(0x7E, 0x7F, 0x09, 0x01))
    file = midi_bytes([mido.Message("program_change", program=19), *high, reset, *high])
    organ, piano = rendering(file, program=19, reverb=0.0), rendering(file, reverb=0.0)
    assert (organ.outcome.programs, piano.outcome.programs) == ([19], [0, 19])
    begin, end = (_level(organ.mono, organ.sample_rate, time, 0.3) for time in (2.3, 3.6))
    assert end > begin / 2, "an organ holds its notes"
    begin, end = (_level(piano.mono, piano.sample_rate, time, 0.3) for time in (2.3, 3.6))
    assert end < begin / 4, "high notes of a piano die away"


def test_equal_input_gives_equal_bytes_also_after_another_piece(rendering: Rendering) -> None:
    options = {"reverb": 0.5, "program": 19}
    first = rendering(scale_file(), **options)
    wild = [
        mido.Message("sysex", data=(0x7E, 0x7F, 0x09, 0x01)),
        mido.Message("pitchwheel", pitch=8000),
        *(mido.Message("control_change", control=number, value=127) for number in (1, 64, 91, 93)),
        mido.Message("aftertouch", value=100),
        mido.Message("polytouch", note=60, value=100),
        mido.Message("note_on", note=60, velocity=127),
        mido.MetaMessage("end_of_track", time=480),
    ]
    assert rendering(midi_bytes(wild), reverb=1.0, sample_rate=48_000).outcome.loudness is not None
    assert rendering(scale_file(), **options).content == first.content


def test_music_that_is_too_long_or_too_large_is_rejected_before_it_is_rendered(rendering: Rendering) -> None:
    with pytest.raises(MusicError, match="The sound would last 5 s, and at most 3 s") as error:
        rendering(scale_file(), max_duration_s=3)
    assert error.value.code == "TOO_LARGE"
    with pytest.raises(MusicError, match="flac") as error:
        rendering(scale_file(), max_bytes=500_000)
    assert error.value.field == "format"


@pytest.mark.parametrize("format", ["flac", "ogg", "mp3"])
def test_a_file_that_becomes_too_large_is_rejected(rendering: Rendering, format: str) -> None:
    with pytest.raises(MusicError, match="more than 9,000 bytes, which is the limit") as error:
        rendering(scale_file(), format=format, max_bytes=9000)
    assert error.value.code == "TOO_LARGE"


def test_very_many_clicks_are_rejected(rendering: Rendering) -> None:
    """The files have 2^28 beats. The second lasts only 268 s, since a beat has a microsecond."""
    for tempo, field in ((100, "last_bar"), (1, "metronome")):
        end = mido.MetaMessage("end_of_track", time=2**28 - 1)
        file = midi_bytes([mido.MetaMessage("set_tempo", tempo=tempo), end], ppq=1)
        with pytest.raises(MusicError) as error:
            rendering(file, metronome=True)
        assert (error.value.code, error.value.field) == ("TOO_LARGE", field)


def _note(channel: int, pitch: int) -> list[mido.Message]:
    return [
        mido.Message("note_on", channel=channel, note=pitch),
        mido.Message("note_off", channel=channel, note=pitch, time=480),
    ]


def _level(sound: Any, sample_rate: int, start_s: float, length_s: float) -> float:
    """Return the root mean square of a part."""
    part = sound[round(start_s * sample_rate) : round((start_s + length_s) * sample_rate)]
    return math.sqrt(float(np.mean(np.square(part))))
