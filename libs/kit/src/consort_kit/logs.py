"""Write logs to stderr: one JSON object per line, with the id of the request and of the files that it uses."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

_context: ContextVar[dict[str, Any] | None] = ContextVar("log_context", default=None)


def begin_context(**fields: Any) -> dict[str, Any]:
    """Start the log context of one request: add these fields to every line that is logged during the request."""
    context = dict(fields)
    _context.set(context)
    return context


def add_ids(**ids: Any) -> None:
    """Add ids (midi_file_id=…, playback_id=…) to the later log lines of this request, including its access line."""
    context = _context.get()
    if context is not None:
        context.update(ids)


def request_id() -> str | None:
    context = _context.get()
    return context.get("request_id") if context else None


class _JsonLines(logging.Formatter):
    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "service": self._service,
            "logger": record.name,
            "message": record.getMessage(),
            **(_context.get() or {}),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up_logs(service: str, level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines(service))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for chatty in ("httpx2", "httpcore2", "uvicorn.access", "mcp"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
