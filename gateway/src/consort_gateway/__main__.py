from consort_gateway.app import make_app
from consort_gateway.settings import GatewaySettings
from consort_kit.processes.run_service import serve

if __name__ == "__main__":
    serve("gateway", make_app, GatewaySettings())
