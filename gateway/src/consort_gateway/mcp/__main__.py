"""Serve MCP over stdio in a container: `docker compose exec -T gateway python3 -m consort_gateway.mcp`.

On a machine without containers, `consort mcp` does this, and starts the studio.
"""

from consort_gateway.mcp.stdio import run_stdio
from consort_gateway.settings import GatewaySettings
from consort_kit.logs import set_up_logs

if __name__ == "__main__":
    set_up_logs("mcp", "WARNING")
    run_stdio(GatewaySettings(), None)
