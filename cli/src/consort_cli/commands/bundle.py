"""`consort bundle`: write the MCP bundle, one file that Claude Desktop and others install with a click."""

import argparse
import hashlib
import json
from pathlib import Path

from consort_cli.bundle.contents import bundle_files, write_archive
from consort_cli.bundle.manifest import published_entry
from consort_kit import API_VERSION


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        default=Path(f"consort-{API_VERSION}.mcpb"),
        help="default: %(default)s",
    )
    parser.add_argument(
        "--url", help="address where the bundle will be published: also writes the registry's server.json beside it"
    )


def run(args: argparse.Namespace) -> int:
    content = bundle_files()
    write_archive(args.output, content)
    data = args.output.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    print(f"{args.output}: {len(content)} files, {len(data) / 1e6:.1f} MB, SHA-256 {sha256}")
    if args.url:
        entry = args.output.with_name("server.json")
        entry.write_text(json.dumps(published_entry(args.url, sha256), indent=1) + "\n", "utf-8")
        print(f"{entry}: entry for the MCP registry")
    return 0
