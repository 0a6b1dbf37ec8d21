"""Draw the pictures in this folder from the MIDI texts beside them: run `python docs/pictures/draw.py`.

The waveform is that of the first eight bars of the river journey, rendered with the installed soundfont.
"""

import tempfile
from pathlib import Path

from consort_audio.pictures.drawing.picture import draw_audio_picture
from consort_audio.pictures.overlay.from_music import RenderedPart, overlay_of_music
from consort_audio.pictures.picture_request import PictureRequest
from consort_audio.synthesis.render_audio import render
from consort_audio.synthesis.render_options import RenderOptions
from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_audio.synthesis.timed_messages import perform
from consort_kit.png import render_png
from consort_music.midi.model import MidiFile
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.midi_text import read_midi_text
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.piano_roll import draw_piano_roll
from consort_music.synth.soundfonts import find_soundfont

HERE = Path(__file__).parent
TITLES = {"chorale": "Evening hymn", "lantern-swing": "Lantern swing", "river-journey": "River journey"}
WAVEFORM = "river-journey"
LAST_BAR = 8
SAMPLE_RATE = 44_100
MAX_BYTES = 10**8


def main() -> None:
    for name, title in TITLES.items():
        svg = draw_piano_roll(music(name), width=1200, height=600, title=title)
        (HERE / f"{name}.png").write_bytes(render_png(svg))
    (HERE / "waveform.png").write_bytes(draw_waveform())


def music(name: str) -> MidiFile:
    return sequence_to_midi(read_midi_text((HERE / f"{name}.txt").read_text(encoding="utf-8")).music)


def draw_waveform() -> bytes:
    soundfont = find_soundfont(None, HERE)
    assert soundfont is not None, "install a soundfont first: ./consort doctor says how"
    midi = write_midi(music(WAVEFORM))
    with tempfile.TemporaryDirectory() as folder:
        options = RenderOptions(
            soundfont=str(soundfont),
            output=f"{folder}/sound.wav",
            format="wav",
            sample_rate=SAMPLE_RATE,
            max_midi_bytes=MAX_BYTES,
            max_duration_s=3600,
            max_bytes=MAX_BYTES,
            loudness=-16,
            reverb=0.2,
            tail_s=1.0,
            last_bar=LAST_BAR,
        )
        outcome = render(perform(midi, options), options, SoundfontRenderer(options.soundfont), lambda _: None)
        frames = round(outcome.duration_s * SAMPLE_RATE)
        request = PictureRequest(
            frames=frames,
            first=0,
            end=frames,
            width=1200,
            height=600,
            spectrogram="log",
            format="png",
            title=TITLES[WAVEFORM],
            overlay=overlay_of_music(midi, MAX_BYTES, RenderedPart(last_bar=LAST_BAR)),
        )
        return draw_audio_picture(Path(options.output), request)


if __name__ == "__main__":
    main()
