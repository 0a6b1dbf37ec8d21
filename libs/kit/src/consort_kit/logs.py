"""Structured logs: one JSON object a line on stderr, with the request id and the ids the operation touched."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

_context: ContextVar[dict[str, Any] | None] = ContextVar("log_context", default=None)


def begin_context(**fields: Any) -> dict[str, Any]:
    """A fresh context for one request; every line logged during the request carries it."""
    context = dict(fields)
    _context.set(context)
    return context


def note(**ids: Any) -> None:
    """Add ids (midi_file_id=…, playback_id=…) to all later log lines of this request, its access line too."""
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
