from consort_audio.app import make_app
from consort_kit.serve import serve

if __name__ == "__main__":
    serve("audio", make_app)
