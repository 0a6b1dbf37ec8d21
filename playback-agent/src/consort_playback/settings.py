from pydantic import Field

from consort_kit.settings import Settings


class PlaybackSettings(Settings):
    playback_port: str | None = Field(None, description="MIDI port to play on if a call names none.")
    soundfont: str | None = Field(None, description="Soundfont (.sf2, .sf3) for rendering and the built-in synth.")
    synth_audio: str = Field(
        "auto", description="Where the built-in synth is heard: auto, none, file:PATH.wav, or a FluidSynth driver."
    )
    midi_max_bytes: int = Field(10 * 1024 * 1024, description="Largest MIDI file that is stored.")
