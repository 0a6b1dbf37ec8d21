"""Settings of the service, from CONSORT_… environment variables."""

from pydantic import Field

from consort_kit.settings import Settings


class AudioSettings(Settings):
    audio_max_bytes: int = Field(
        500 * 1024 * 1024, description="Largest audio file that is stored. Default: 524288000 (500 MiB)."
    )
    audio_max_duration_s: float = Field(
        2 * 3600, description="Longest audio file that is stored, in seconds. Default: 7200."
    )
    audio_base64_max_bytes: int = Field(
        8 * 1024 * 1024, description="Largest audio file that is accepted as base64. Default: 8388608 (8 MiB)."
    )
    audio_jobs_at_once: int = Field(2, ge=1, description="Long audio jobs that one process runs at once. Default: 2.")
    audio_analyze_takes: bool = Field(
        True, description="Whether every new recording and upload is analyzed when it arrives. Default: true."
    )
    audio_models: str | None = Field(
        None,
        description="Folder of the listening models. Default: share/consort-models in the Python environment.",
    )
    midi_max_bytes: int = Field(10 * 1024 * 1024, description="Largest MIDI file that is stored.")
    soundfont: str | None = Field(None, description="Soundfont (.sf2, .sf3) for rendering and the built-in synth.")
