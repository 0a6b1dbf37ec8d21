"""Read, follow, rotate and format the logs in DATA/logs.

Services write one JSON object per line (`consort_kit.logs`). Other lines, such as those of Postgres, are shown as they
are.
"""

import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

LAUNCHER = "launcher"
MAX_BYTES = 5 * 1024 * 1024
_NAME_WIDTH = 10
_SHOWN_APART = {"time", "level", "service", "logger", "message", "access", "exception"}
_POSTGRES_TIME = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) UTC \[\d+\] ")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What could move the cursor, change colours, hide text or begin a line in a terminal: control characters but tab."""
_NAME_COLOURS = (36, 32, 35, 34, 33, 96, 92, 95)
_LEVEL_COLOURS = {"WARNING": 33, "ERROR": 31, "CRITICAL": 31}


class LogLine(NamedTuple):
    name: str
    """Service, gateway, postgres or launcher."""
    text: str
    fields: dict[str, Any] | None
    """None if the line is not JSON."""

    @property
    def time(self) -> datetime | None:
        try:
            if self.fields:
                return datetime.fromisoformat(self.fields["time"]).astimezone()
            if match := _POSTGRES_TIME.match(self.text):
                return datetime.fromisoformat(match[1]).replace(tzinfo=UTC).astimezone()
        except (KeyError, TypeError, ValueError):
            pass
        return None

    @property
    def is_routine(self) -> bool:
        """Whether `consort up` does not show the line on the terminal."""
        if self.fields is None:
            return self.name == "postgres" and " LOG:  " in self.text
        if self.fields.get("access"):
            status = self.fields.get("status")
            return isinstance(status, int) and status < 400
        level = self.fields.get("level")
        of_the_server = str(self.fields.get("logger", "")).startswith("uvicorn")  # "Started server process", …
        return level == "DEBUG" or (level == "INFO" and of_the_server)


def log_file(data: Path, name: str) -> Path:
    return data / "logs" / f"{name}.log"


def log_names(data: Path) -> list[str]:
    return sorted(path.stem for path in (data / "logs").glob("*.log"))


def rotate_if_large(path: Path) -> None:
    """If a log is larger than MAX_BYTES, move its content to NAME.log.1.

    The log is copied and truncated, not renamed, because its writer keeps it open.
    """
    if path.exists() and path.stat().st_size > MAX_BYTES:
        shutil.copyfile(path, path.with_suffix(".log.1"))
        with path.open("r+b") as file:
            file.truncate(0)


def parse_line(name: str, text: str) -> LogLine:
    fields = None
    if text.startswith("{"):
        try:
            read = json.loads(text)
        except ValueError:
            read = None
        if isinstance(read, dict) and isinstance(read.get("message"), str):
            fields = read
    return LogLine(name, text, fields)


def format_line(line: LogLine, *, colour: bool = False) -> str:
    """Return a line such as `HH:MM:SS midi-store  message key=value`."""
    clock = f"{line.time:%H:%M:%S}" if line.time else " " * 8
    name = _paint(f"{line.name:<{_NAME_WIDTH}}", _name_colour(line.name) if colour else None)
    if line.fields is None:
        return f"{clock} {name}  {escape_controls(_POSTGRES_TIME.sub('', line.text))}"
    level = escape_controls(str(line.fields.get("level", "INFO")))
    message = escape_controls(line.fields["message"])
    if level not in ("INFO", "DEBUG"):
        message = f"{_paint(level, _LEVEL_COLOURS.get(level) if colour else None)} {message}"
    shown = [f" {key}={value}" for key, value in line.fields.items() if key not in _SHOWN_APART]
    details = escape_controls("".join(shown))
    rows = str(line.fields.get("exception", "")).split("\n")
    trace = "".join(f"\n    {escape_controls(row)}" for row in rows if row)
    return f"{clock} {name}  {message}{_paint(details, 2 if colour and details else None)}{trace}"


def last_lines(data: Path, names: list[str], count: int) -> list[LogLine]:
    """Return the last `count` lines of these logs, sorted by time."""
    lines: list[tuple[float, LogLine]] = []
    for name in names:
        moment = 0.0
        for text in _last_texts(log_file(data, name), count):
            line = parse_line(name, text)
            moment = (
                line.time.timestamp() if line.time else moment
            )  # a line without a time stays after the previous line
            lines.append((moment, line))
    lines.sort(key=lambda entry: entry[0])
    return [line for _, line in lines][-count:] if count else []


class Follower:
    """Read the lines that are added to the logs from now on."""

    def __init__(self, data: Path, names: list[str] | None = None) -> None:
        self._data = data
        self._names = names
        self._offsets: dict[str, int] = {name: _size(log_file(data, name)) for name in names or log_names(data)}

    def new_lines(self) -> Iterator[LogLine]:
        for name in self._names or log_names(self._data):
            path = log_file(self._data, name)
            size, offset = _size(path), self._offsets.get(name, 0)
            if size < offset:  # truncated by rotate_if_large
                offset = 0
            if size > offset:
                with path.open("rb") as file:
                    file.seek(offset)
                    added = file.read(size - offset)
                whole = added[: added.rfind(b"\n") + 1]  # an incomplete last line is read next time
                offset += len(whole)
                for text in whole.decode(errors="replace").splitlines():
                    yield parse_line(name, text)
            self._offsets[name] = offset


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _last_texts(path: Path, count: int) -> list[str]:
    if not path.exists():
        return []
    with path.open("rb") as file:
        file.seek(max(0, _size(path) - max(count, 1) * 2000))
        return file.read().decode(errors="replace").splitlines()[-count:]


def _name_colour(name: str) -> int:
    return _NAME_COLOURS[sum(name.encode()) % len(_NAME_COLOURS)]


def escape_controls(text: str) -> str:
    """Escape control characters, which anyone can put into a requested path or a name in the database."""
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


def _paint(text: str, code: int | None) -> str:
    return text if code is None else f"\x1b[{code}m{text}\x1b[0m"
