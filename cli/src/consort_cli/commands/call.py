"""`consort call`: call tools from the command line over MCP, as an assistant does."""

import argparse
import base64
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from consort_cli.launcher.start_and_stop import running_studio
from consort_cli.main import add_data_argument
from consort_cli.mcp_client import McpConnection
from consort_kit.data_folder import data_folder, read_or_make_secret
from consort_kit.errors import ConsortError, InvalidInput, ServiceDown


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="name of the tool; `consort tools` lists them")
    parser.add_argument(
        "values",
        nargs="*",
        metavar="name=value",
        help="arguments; a value is parsed as JSON if possible, otherwise it is text; base64=@FILE sends a file",
    )
    parser.add_argument("--json", metavar="OBJECT", help="all arguments as one JSON object: '{\"limit\": 5}'")
    parser.add_argument(
        "--batch",
        metavar="FILE",
        help='many calls on one connection, one JSON object per line: {"tool": …, "arguments": {…}}; - reads stdin; '
        "each output line says whether the call succeeded, the exit code is 0",
    )
    parser.add_argument("--url", help="address of the gateway (default: that of this data folder's studio)")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    if (args.tool is None) == (args.batch is None):
        print("consort call: Name a tool, or give --batch FILE. `./consort tools` lists the tools.", file=sys.stderr)
        return 2
    data = data_folder(args.data)
    studio = running_studio(data)
    if studio is None and args.url is None:  # do not send the token: another program may listen on the port
        return _nothing_runs(data, args)
    token = os.environ.get("CONSORT_TOKEN") or read_or_make_secret(data / "token")
    url = args.url or f"http://127.0.0.1:{studio.port_base if studio else 0}"
    connection = McpConnection(url, token, _client_id(data), same_machine=args.url is None)
    try:
        if args.batch is None:
            return _call_one(connection, args)
        with _lines(args.batch) as lines:
            _call_many(connection, lines)
    finally:
        connection.close()
    return 0


def _client_id(data: Path) -> str:
    """Return the client id for all calls in a data folder, so that they share the last-used song."""
    return f"call-{hashlib.sha256(bytes(data.resolve())).hexdigest()[:24]}"


def _nothing_runs(data: Path, args: argparse.Namespace) -> int:
    error = ServiceDown(
        f"No studio runs in {data}. `consort up` starts it.",
        suggestions=["`consort up` starts the studio.", "--url uses a gateway that runs elsewhere."],
        details={"service": "gateway"},
    )
    body = error.response().model_dump(mode="json")
    if args.batch is None:
        print(json.dumps(body, indent=1))
        return 1
    with _lines(args.batch) as lines:
        for line in lines:
            if line.strip():
                print(json.dumps({"ok": False, "result": body, "ms": 0.0}))
    return 0


def _lines(batch: str) -> TextIO:
    return sys.stdin if batch == "-" else open(batch, encoding="utf-8")


def _call_one(connection: McpConnection, args: argparse.Namespace) -> int:
    try:
        given = _object(args.json) if args.json is not None else {}
        texts = _text_fields(args.tool)
        given |= dict(_argument(value, texts) for value in args.values)
    except ConsortError as error:
        print(json.dumps(error.response().model_dump(mode="json"), indent=1))
        return 1
    ok, result = connection.call_tool(args.tool, given, on_progress=lambda text: print(text, file=sys.stderr))
    shown = _without_picture_data(result) if sys.stdout.isatty() else result
    print(json.dumps(shown, indent=1, ensure_ascii=False))
    return 0 if ok else 1


def _without_picture_data(result: Any) -> Any:
    """Return the answer with the size of its pictures instead of their bytes, which would fill a terminal."""
    if not isinstance(result, dict) or "content" not in result:
        return result
    blocks = []
    for block in result["content"]:
        size = len(block.get("data", "")) * 3 // 4
        blocks.append({**block, "data": f"{size:,} bytes, shown only in a pipe or file"} if size else block)
    return {**result, "content": blocks}


def _call_many(connection: McpConnection, lines: Iterable[str]) -> None:
    for line in lines:
        if not line.strip():
            continue
        began = time.perf_counter()
        try:
            call = _object(line)
            if not isinstance(call.get("tool"), str):
                raise InvalidInput(
                    '\'tool\' is missing. Example: {"tool": "list_midi", "arguments": {"limit": 5}}.', field="tool"
                )
            ok, result = connection.call_tool(call["tool"], call.get("arguments") or {})
        except ConsortError as error:
            ok, result = False, error.response().model_dump(mode="json")
        ms = round((time.perf_counter() - began) * 1000, 2)
        print(json.dumps({"ok": ok, "result": result, "ms": ms}, ensure_ascii=False), flush=True)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f'This is not JSON: {error}. Example: {{"limit": 5}}.', field="json") from error
    if not isinstance(value, dict):
        raise InvalidInput(
            'The arguments must be a JSON object. Example: {"limit": 5}.', field="json", suggestions=['{"limit": 5}']
        )
    return value


def _text_fields(tool_name: str) -> set[str]:
    """Return the names of a tool's text fields. Their values are not parsed as JSON: `name=2024` is a text."""
    from consort_gateway.tools.catalogue import load_catalogue

    tool = next((each for each in load_catalogue() if each.name == tool_name), None)
    fields = tool.input_schema["properties"] if tool else {}
    return {name for name, field in fields.items() if field.get("type") == "string"}


def _argument(text: str, texts: set[str]) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"{text!r} is not of the form name=value. Example: limit=5.", suggestions=["limit=5"])
    if name == "base64" and value.startswith("@"):
        try:
            return name, base64.b64encode(Path(value[1:]).read_bytes()).decode()
        except OSError as error:
            raise InvalidInput(f"The file {value[1:]!r} cannot be read: {error.strerror}.", field=name) from error
    if name in texts:
        return name, value
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
