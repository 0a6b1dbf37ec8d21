"""`consort agent`: run the playback agent alone, on the host of a studio that runs in containers.

Containers cannot use the host's MIDI devices. The agent listens on loopback, which the containers of Docker Desktop can
reach. On Linux, containers reach the host at the address of Docker's bridge; with `--docker` the agent listens there
too, and uses the token of the studio in Docker.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
from ipaddress import ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from consort_cli import bootstrap
from consort_cli.launcher.start_and_stop import wanted_port_base
from consort_cli.log_lines import format_line, parse_line
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_kit.services import GATEWAY, SERVICES
from consort_music.music_ids import MUSIC_ROUTES

LOOPBACK = "127.0.0.1"
_NAME = "playback"
_PART = SERVICES[_NAME]
_QUESTION = (
    "from consort_gateway.settings import GatewaySettings; s = GatewaySettings(); "
    f"print(s.bearer_token, s.url_of({_NAME!r}))"
)
_STOP_S = 10.0


class DockerError(Exception):
    """Docker is missing, or a Docker command failed. The message is for the user."""


class GatewayInDocker(NamedTuple):
    """Settings of the gateway that runs in a container."""

    token: str
    agent_port: int
    """The port at which the gateway calls the agent."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--docker", action="store_true", help="serve the studio that `docker compose up` runs")
    parser.add_argument("--port-base", type=int, metavar="N", help="the gateway's port (default: 8700); ours is 5 more")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    settings = {"CONSORT_DATA": str(data)}
    addresses, port = [LOOPBACK], wanted_port_base(data, args.port_base) + _PART.port_offset
    try:
        if args.docker:
            addresses += bridge_addresses()
            if not os.environ.get("CONSORT_TOKEN"):
                gateway = ask_gateway_in_docker()
                settings["CONSORT_TOKEN"] = gateway.token
                port = port if args.port_base else gateway.agent_port
    except DockerError as error:
        print(f"consort agent: {error}", file=sys.stderr)
        return 1
    settings |= {"CONSORT_HOST": ",".join(addresses), "CONSORT_PORT": str(port)}
    settings["CONSORT_SERVICE_URLS"] = os.environ.get("CONSORT_SERVICE_URLS") or gateway_urls(port)
    places = " and ".join(f"{address}:{port}" for address in addresses)
    print(f"The playback agent starts on {places}; Ctrl-C stops it", flush=True)
    return _run_agent(settings)


def gateway_urls(agent_port: int) -> str:
    """Return the addresses of the services with music, as JSON. They go through the gateway, the only reachable one."""
    gateway = agent_port - _PART.port_offset + GATEWAY.port_offset
    owners = {service for service, _ in MUSIC_ROUTES.values()}
    return json.dumps({service: f"http://{LOOPBACK}:{gateway}/inside/{service}" for service in sorted(owners)})


def bridge_addresses() -> list[str]:
    """Return the addresses of Docker's bridge that belong to this machine, not to Docker's virtual machine.

    If the bridge was not configured, Docker reports no gateway. Then it is the first address of the network.
    """
    networks = json.loads(_docker("network", "inspect", "bridge", "--format", "{{json .IPAM.Config}}")) or []
    addresses = [each.get("Gateway") or str(next(ip_network(each["Subnet"]).hosts())) for each in networks]
    return [address for address in addresses if _is_local(address)]


def _is_local(address: str) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def ask_gateway_in_docker() -> GatewayInDocker:
    try:
        token, url = _docker("compose", "exec", "-T", "gateway", "python3", "-c", _QUESTION).split()
        return GatewayInDocker(token, urlsplit(url).port or 80)
    except DockerError as error:
        raise DockerError(
            f"{error}\nThe token comes from the running studio: first run `docker compose up --build --wait` in "
            f"{bootstrap.ROOT}, or set the same CONSORT_TOKEN for the studio and the agent."
        ) from error


def _docker(*arguments: str) -> str:
    command = ["docker", *arguments]
    try:
        done = subprocess.run(command, cwd=bootstrap.ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        raise DockerError("there is no `docker` command on this machine") from None
    if done.returncode:
        why = done.stderr.strip() or f"exit code {done.returncode}"
        raise DockerError(f"`{' '.join(command[:3])}` failed: {why}")
    return done.stdout


def _run_agent(settings: dict[str, str]) -> int:
    """Run the agent and show its log. The agent stops when this process ends, because its stdin closes."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    environment = {**os.environ, **settings, "CONSORT_WATCH_STDIN": "1"}
    command = [sys.executable, "-m", _PART.module]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as agent:
        assert agent.stdin is not None and agent.stderr is not None
        try:
            for text in agent.stderr:
                line = parse_line(_NAME, text.rstrip())
                if not line.is_routine:
                    print(format_line(line, colour=colour), flush=True)
        except KeyboardInterrupt:  # the terminal also sends the signal to the agent
            agent.stdin.close()
            agent.wait(_STOP_S)
            return 0
        return agent.wait()
