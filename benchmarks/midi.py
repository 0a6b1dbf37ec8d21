"""MIDI files: the codec and the transforms beside mido, hostile files, and the service over HTTP; one run for all."""

from benchmarks.parts import midi_codec, midi_service
from benchmarks.report import Report


def run() -> Report:
    codec, service = midi_codec.run(), midi_service.run()
    return Report(
        title=f"{codec.title}; {service.title}",
        rows=[*codec.rows, *service.rows],
        summary=f"{codec.summary} {service.summary}",
        floors=[*codec.floors, *service.floors],
    )
