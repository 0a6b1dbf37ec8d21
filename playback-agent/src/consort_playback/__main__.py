from consort_kit.serve import serve
from consort_kit.settings import Settings
from consort_playback.app import make_app

if __name__ == "__main__":
    serve("playback", make_app, Settings())
