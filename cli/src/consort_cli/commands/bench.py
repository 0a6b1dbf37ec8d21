"""`consort bench`: run one benchmark of `benchmarks/`, or all of them."""

import argparse
import importlib
import json
import sys
from inspect import signature
from pathlib import Path
from typing import Any

from consort_cli import bootstrap
from consort_cli.commands.test import install_development_packages


def names() -> list[str]:
    return sorted(file.stem for file in (bootstrap.ROOT / "benchmarks").glob("[!_]*.py"))


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", choices=names(), help="the benchmark; if omitted, all of them")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    parser.add_argument(
        "--task", action="append", default=[], metavar="NAME", help="audio: only this task (repeatable)"
    )
    parser.add_argument("--split", choices=("tune", "test"), default="test", help="audio: the part of the truth set")
    parser.add_argument("--data", type=Path, metavar="DIR", help="audio: a folder of data sets to measure with as well")
    parser.add_argument("--limit", type=int, metavar="N", help="audio: the first N items of each task only")
    parser.add_argument("--no-baselines", action="store_true", help="audio: without librosa and basic-pitch")


def run(args: argparse.Namespace) -> int:
    install_development_packages()  # they include the baselines
    sys.path.insert(0, str(bootstrap.ROOT))  # the benchmarks are not installed
    answers: dict[str, Any] = {}
    for name in [args.name] if args.name else names():
        report = _run(name, args)
        answers[name] = report.to_dict()
        if not args.json:
            print(report.to_text() + ("" if args.name else "\n"), flush=True)
    if args.json:
        print(json.dumps(answers[args.name] if args.name else answers))
    return 0 if all(answer["ok"] for answer in answers.values()) else 1


def _run(name: str, args: argparse.Namespace) -> Any:
    """Run a benchmark. Those that take options get them."""
    run_benchmark = importlib.import_module(f"benchmarks.{name}").run
    if not signature(run_benchmark).parameters:
        return run_benchmark()
    options = importlib.import_module("benchmarks.support.options").BenchOptions
    return run_benchmark(options(tuple(args.task), args.split, args.data, args.limit, not args.no_baselines))
