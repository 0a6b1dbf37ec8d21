from consort_kit.serve import serve
from consort_playback.app import make_app
from consort_playback.settings import PlaybackSettings

if __name__ == "__main__":
    serve("playback", make_app, PlaybackSettings())
