from consort_playback.app import make_app
from consort_kit.serve import serve

if __name__ == "__main__":
    serve("playback", make_app)
