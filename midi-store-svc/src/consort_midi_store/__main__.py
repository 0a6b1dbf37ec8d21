from consort_kit.serve import serve
from consort_midi_store.app import make_app
from consort_midi_store.settings import MidiStoreSettings

if __name__ == "__main__":
    serve("midi-store", make_app, MidiStoreSettings())
