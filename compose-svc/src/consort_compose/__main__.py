from consort_compose.app import make_app
from consort_kit.processes.run_service import serve
from consort_kit.settings import Settings

if __name__ == "__main__":
    serve("compose", make_app, Settings())
