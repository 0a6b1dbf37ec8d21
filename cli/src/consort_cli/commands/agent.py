"""`consort agent`: the playback agent alone, for a studio that runs as containers: MIDI devices belong to the host.

It listens on loopback, which Docker Desktop's containers reach. On Linux they reach the host by the address of Docker's
bridge; with `--docker` the agent listens there too, and takes the token of the compose stack.
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
from consort_cli.launch import wanted_port_base
from consort_cli.log_lines import parse, readable
from consort_cli.main import add_data_argument
from consort_kit.client import MUSIC_ROUTES
from consort_kit.folders import data_folder
from consort_kit.services import GATEWAY, SERVICES

LOOPBACK = "127.0.0.1"
_NAME = "playback"
_PART = SERVICES[_NAME]
_QUESTION = (
    "from consort_gateway.settings import GatewaySettings; s = GatewaySettings(); "
    f"print(s.bearer_token, s.url_of({_NAME!r}))"
)
_STOP_S = 10.0


class DockerError(Exception):
    """Docker is not there, or does not do what it is asked; the text is for the person at the terminal."""


class ComposeStack(NamedTuple):
    """What the gateway in its container says."""

    token: str
    agent_port: int
    """Where it looks for the agent."""


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
                stack = ask_compose_stack()
                settings["CONSORT_TOKEN"] = stack.token
                port = port if args.port_base else stack.agent_port
    except DockerError as error:
        print(f"consort agent: {error}", file=sys.stderr)
        return 1
    settings |= {"CONSORT_HOST": ",".join(addresses), "CONSORT_PORT": str(port)}
    settings["CONSORT_SERVICE_URLS"] = os.environ.get("CONSORT_SERVICE_URLS") or by_the_gateway(port)
    places = " and ".join(f"{address}:{port}" for address in addresses)
    print(f"The playback agent starts on {places}; Ctrl-C stops it", flush=True)
    return _stay(settings)


def by_the_gateway(agent_port: int) -> str:
    """Where the agent asks for music: services in containers are reached only by the gateway, which is published."""
    gateway = agent_port - _PART.port_offset + GATEWAY.port_offset
    owners = {service for service, _ in MUSIC_ROUTES.values()}
    return json.dumps({service: f"http://{LOOPBACK}:{gateway}/inside/{service}" for service in sorted(owners)})


def bridge_addresses() -> list[str]:
    """The addresses of Docker's bridge, if the bridge is on this machine and not in a virtual one of Docker's.

    A Docker that was told nothing about the bridge names no gateway: it is the first address of the network.
    """
    networks = json.loads(_docker("network", "inspect", "bridge", "--format", "{{json .IPAM.Config}}")) or []
    addresses = [each.get("Gateway") or str(next(ip_network(each["Subnet"]).hosts())) for each in networks]
    return [address for address in addresses if _is_ours(address)]


def _is_ours(address: str) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def ask_compose_stack() -> ComposeStack:
    try:
        token, url = _docker("compose", "exec", "-T", "gateway", "python3", "-c", _QUESTION).split()
        return ComposeStack(token, urlsplit(url).port or 80)
    except DockerError as error:
        raise DockerError(
            f"{error}\nThe token is asked from the running stack: first `docker compose up --build --wait` in "
            f"{bootstrap.ROOT}, or give the stack and the agent the same CONSORT_TOKEN."
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


def _stay(settings: dict[str, str]) -> int:
    """Run the agent and show what it says. It holds the other end of our pipe, so it never outlives us."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    environment = {**os.environ, **settings, "CONSORT_WATCH_STDIN": "1"}
    command = [sys.executable, "-m", _PART.module]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as agent:
        assert agent.stdin is not None and agent.stderr is not None
        try:
            for text in agent.stderr:
                line = parse(_NAME, text.rstrip())
                if not line.is_routine:
                    print(readable(line, colour=colour), flush=True)
        except KeyboardInterrupt:  # the terminal has told the agent, too
            agent.stdin.close()
            agent.wait(_STOP_S)
            return 0
        return agent.wait()
