"""Run the service: `python -m consort_midi_store`."""

from consort_kit.processes.run_service import serve
from consort_midi_store.app import make_app
from consort_midi_store.settings import MidiStoreSettings

if __name__ == "__main__":
    serve("midi-store", make_app, MidiStoreSettings())
