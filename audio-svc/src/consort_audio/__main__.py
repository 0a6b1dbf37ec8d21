from consort_audio.app import make_app
from consort_audio.settings import AudioSettings
from consort_kit.processes.run_service import serve

if __name__ == "__main__":
    serve("audio", make_app, AudioSettings())
