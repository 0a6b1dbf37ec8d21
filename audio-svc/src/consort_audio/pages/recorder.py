"""The recording page: what it shows, and the links that it may use."""

from starlette.responses import Response

from consort_audio.pages.frame import page, same_origin, static_text
from consort_audio.recordings.service import PageLinks
from consort_audio.recordings.store import RecordingRow
from consort_kit.http.web_page import upload_script
from consort_music.metre import Metre, parse_metre

_LONGEST_HEADING = 120
_FOLDER = "recorder"
_SCRIPTS = (
    "time_text.js",
    "waveform.js",
    *(f"{_FOLDER}/{name}.js" for name in ("signal", "microphone", "clicks", "upload", "meter", "recorder")),
)


def recorder_page(row: RecordingRow, links: PageLinks) -> Response:
    metre = parse_metre(row.options["time_signature"])
    is_short = len(row.prompt) <= _LONGEST_HEADING
    data = {
        "recordingId": row.id,
        "maxDuration": row.max_duration_s,
        "tempo": row.options["tempo"],
        "timeSignature": metre.name,
        "bar": _bar(metre),
        "countIn": row.options["count_in"],
        "metronome": row.options["metronome"],
        "takeUrl": same_origin(links.take),
        "referenceUrl": same_origin(links.reference) if links.reference else None,
        "worklet": static_text(f"{_FOLDER}/worklet.js"),
    }
    texts = {
        "heading": row.prompt if is_short else "Please record this",
        "text": "" if is_short else row.prompt,
        "limit": f"Up to {_in_words(row.max_duration_s)}.",
        "metre": f"quarter notes per minute, in {metre.name}",
    }
    return page(
        f"{_FOLDER}/recorder.html",
        data,
        title="Recording",
        script=_SCRIPTS,
        shared_script=upload_script(),
        style=(f"{_FOLDER}/recorder.css",),
        texts=texts,
        policy={"script-src": "blob:"},  # the audio worklet is loaded from the page's data
    )


def _bar(metre: Metre) -> dict[str, float | list[float]]:
    return {
        "beats": [float(beat) for beat in metre.beats],
        "strong": [float(beat) for beat in metre.strong_beats],
        "length": float(metre.bar),
    }


def _in_words(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:g} second{'' if seconds == 1 else 's'}"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} minutes" + (f" {rest} seconds" if rest else "")
