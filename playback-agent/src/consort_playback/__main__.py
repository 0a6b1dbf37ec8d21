from consort_kit.processes.run_service import serve
from consort_playback.app import make_app
from consort_playback.settings import PlaybackSettings

if __name__ == "__main__":
    serve("playback", make_app, PlaybackSettings())
