"""Settings of the service, from CONSORT_… environment variables."""

from pydantic import Field

from consort_kit.settings import Settings


class MidiStoreSettings(Settings):
    midi_max_bytes: int = Field(10 * 1024 * 1024, description="Largest MIDI file that is stored.")
    midi_base64_max_bytes: int = Field(256 * 1024, description="Largest file that is returned as base64.")
    midi_versions: int = Field(
        10, ge=0, description="Earlier versions of an overwritten file that are kept. Default: 10."
    )
    midi_version_days: float = Field(30, ge=0, description="Days for which an earlier version is kept. Default: 30.")
