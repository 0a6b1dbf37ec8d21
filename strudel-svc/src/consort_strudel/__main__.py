from consort_kit.processes.run_service import serve
from consort_kit.settings import Settings
from consort_strudel.app import make_app

if __name__ == "__main__":
    serve("strudel", make_app, Settings())
