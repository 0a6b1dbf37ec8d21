from consort_strudel.app import make_app
from consort_kit.serve import serve

if __name__ == "__main__":
    serve("strudel", make_app)
