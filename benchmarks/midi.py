"""Measure the MIDI codec and the transforms compared with mido, hostile files, and midi-store over HTTP."""

from benchmarks.midi_files import codec, service
from benchmarks.support.report import Report, join_reports


def run() -> Report:
    return join_reports([codec.run(), service.run()])
