"""`consort bench`: run one benchmark of `benchmarks/`, or all of them."""

import argparse
import importlib
import json
import sys
from typing import Any

from consort_cli import bootstrap
from consort_cli.commands.test import install_development_packages


def names() -> list[str]:
    return sorted(file.stem for file in (bootstrap.ROOT / "benchmarks").glob("[!_]*.py"))


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", choices=names(), help="the benchmark; if omitted, all of them")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def run(args: argparse.Namespace) -> int:
    install_development_packages()  # they include the baselines
    sys.path.insert(0, str(bootstrap.ROOT))  # the benchmarks are not installed
    answers: dict[str, Any] = {}
    for name in [args.name] if args.name else names():
        report = importlib.import_module(f"benchmarks.{name}").run()
        answers[name] = report.to_dict()
        if not args.json:
            print(report.to_text() + ("" if args.name else "\n"), flush=True)
    if args.json:
        print(json.dumps(answers[args.name] if args.name else answers))
    return 0 if all(answer["ok"] for answer in answers.values()) else 1
