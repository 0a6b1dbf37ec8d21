"""The notes of a recording, heard with the reference in mind."""

from typing import NamedTuple

from consort_audio.analysis.pitch.track.pitch_track import track_pitch
from consort_audio.comparison.align.alignment import Alignment, align
from consort_audio.comparison.asked_bars import align_asked_bars
from consort_audio.comparison.faults.limits import CHORDS_TAKE, Judgement
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.comparison.take.one_voice.hearing import hear_one_voice
from consort_audio.comparison.take.several_voices.hearing import hear_several_voices
from consort_audio.signals.recording import Recording

_REST_OF_METHOD = "heard with the reference, aligned by a hidden Markov model"


class HeardTake(NamedTuple):
    alignment: Alignment
    judgement: Judgement
    method: str


def listen_and_align(recording: Recording, music: ExpectedMusic) -> HeardTake:
    """Return the alignment of a recording with the asked bars of the expected notes, and how it is judged."""
    takes: list[HeardTake] = []

    def align_take(each: ExpectedMusic) -> Alignment:
        takes.append(_listen(recording, each))
        return takes[-1].alignment

    alignment = align_asked_bars(music, align_take)
    return takes[-1 if alignment.other_bars else 0]._replace(alignment=alignment)


def _listen(recording: Recording, music: ExpectedMusic) -> HeardTake:
    if music.is_polyphonic and (found := hear_several_voices(recording, music)) is not None:
        return HeardTake(align(music, found), CHORDS_TAKE, f"basic-pitch, {_REST_OF_METHOD}")
    method = f"{track_pitch(recording).method}, {_REST_OF_METHOD}"
    return HeardTake(*hear_one_voice(recording, music), method)
