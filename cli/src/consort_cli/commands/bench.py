"""`consort bench`: run one benchmark of `benchmarks/`, or all of them."""

import argparse
import importlib
import json
import sys
from typing import Any

from consort_cli import bootstrap
from consort_cli.commands.test import install_development_packages

NOT_BENCHMARKS = {"__init__", "report"}


def names() -> list[str]:
    files = (bootstrap.ROOT / "benchmarks").glob("*.py")
    return sorted(file.stem for file in files if file.stem not in NOT_BENCHMARKS)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", choices=names(), help="all when left out")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def run(args: argparse.Namespace) -> int:
    install_development_packages()  # the baselines that are measured beside us
    sys.path.insert(0, str(bootstrap.ROOT))  # the benchmarks are not part of what is installed
    answers: dict[str, Any] = {}
    for name in [args.name] if args.name else names():
        report = importlib.import_module(f"benchmarks.{name}").run()
        answers[name] = report.to_dict()
        if not args.json:
            print(report.to_text() + ("" if args.name else "\n"), flush=True)
    if args.json:
        print(json.dumps(answers[args.name] if args.name else answers))
    return 0 if all(answer["ok"] for answer in answers.values()) else 1
