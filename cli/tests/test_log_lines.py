import json
from pathlib import Path

import pytest

from consort_cli import log_lines
from consort_cli.log_lines import Follower, format_line, last_lines, parse_line
from consort_cli.main import main


def line(**fields: object) -> str:
    return json.dumps({"time": "2026-01-01T12:00:00.000+00:00", "level": "INFO", "service": "audio", **fields})


def test_a_json_line_is_shown_as_text() -> None:
    shown = format_line(parse_line("audio", line(message="analysed", request_id="req_1", seconds=0.5)))
    assert shown[2::3][:2] == "::" and shown[8:] == " audio       analysed request_id=req_1 seconds=0.5"
    failed = format_line(parse_line("audio", line(message="failed", level="ERROR", exception="Traceback\n  boom")))
    assert failed.endswith("ERROR failed\n    Traceback\n      boom")


@pytest.mark.parametrize("text", ["plain words", "{not json", '{"no": "message"}', '["list"]'])
def test_other_lines_are_shown_as_they_are(text: str) -> None:
    assert format_line(parse_line("audio", text)).endswith(f"audio       {text}")


@pytest.mark.parametrize("hidden", ["\x1b[2J", "\x1b]0;title\x07", "\r", "\x9b31m", "\u202e", "\x7f"])
def test_control_characters_are_escaped(hidden: str) -> None:
    """A path with escape codes, requested without a token, must not reach the terminal."""
    lines = [
        line(message=f"GET /{hidden}"),
        line(message="GET /", path=f"/{hidden}"),
        line(message="failed", exception=f"Traceback\n  {hidden}"),
        line(message="GET /", level=hidden),
        f"plain {hidden}",
    ]
    for text in lines:
        shown = format_line(parse_line("audio", text))
        assert hidden not in shown and "\x1b" not in shown and ascii(hidden)[1:3] in shown


def test_control_characters_are_escaped_in_raw_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Postgres writes statements into its log, with the names in them."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "postgres.log").write_text("ERROR: \x1b[2J\n")
    assert main(["logs", "--json", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "ERROR: \\x1b[2J\n"


def test_routine_lines_are_recognised() -> None:
    assert parse_line("audio", line(message="GET /files", access=True, status=200)).is_routine
    assert not parse_line("audio", line(message="GET /files", access=True, status=404)).is_routine
    assert parse_line("audio", line(message="detail", level="DEBUG")).is_routine
    assert not parse_line("audio", line(message="news")).is_routine
    assert parse_line("audio", line(message="Started server process", logger="uvicorn.error")).is_routine
    assert not parse_line("audio", line(message="oh", logger="uvicorn.error", level="ERROR")).is_routine
    assert parse_line("postgres", "2026-01-01 12:00:00.000 UTC [7] LOG:  database system is ready").is_routine
    assert not parse_line("postgres", "2026-01-01 12:00:00.000 UTC [7] FATAL:  no").is_routine


def test_tail_sorts_the_logs_by_time(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for name, minutes in (("a", (1, 4)), ("b", (2, 3))):
        rows = [json.dumps({"time": f"2026-01-01T12:0{minute}:00+00:00", "message": str(minute)}) for minute in minutes]
        (tmp_path / "logs" / f"{name}.log").write_text("\n".join(rows) + "\n")
    assert [entry.fields["message"] for entry in last_lines(tmp_path, ["a", "b"], 3) if entry.fields] == ["2", "3", "4"]


def test_a_follower_sees_whole_lines_also_after_the_log_was_truncated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = log_lines.log_file(tmp_path, "audio")
    log.parent.mkdir()
    log.write_text("old\n")
    follower = Follower(tmp_path)
    with log.open("a") as writer:
        writer.write("new\nhal")
        writer.flush()
        assert [entry.text for entry in follower.new_lines()] == ["new"]
        writer.write("f\n")
        writer.flush()
        assert [entry.text for entry in follower.new_lines()] == ["half"]
        monkeypatch.setattr(log_lines, "MAX_BYTES", 3)
        log_lines.rotate_if_large(log)
        writer.write("after\n")
        writer.flush()
    assert [entry.text for entry in follower.new_lines()] == ["after"]
    assert (tmp_path / "logs" / "audio.log.1").read_text() == "old\nnew\nhalf\n"
