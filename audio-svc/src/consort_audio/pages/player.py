"""The player page: what it shows about an audio file, and the links that it needs."""

from typing import Any

from starlette.responses import Response

from consort_audio.codecs.formats import FORMATS, WRITTEN_FORMATS
from consort_audio.files.library import LINK_LIFETIME_S
from consort_audio.files.store import AudioRow
from consort_audio.pages.frame import page, same_origin
from consort_kit.http.signed_links import Links

_NOTES = {"wav": "lossless", "flac": "lossless, smaller", "ogg": "small", "mp3": "for any device"}


def player_page(row: AudioRow, original: AudioRow | None, links: Links) -> Response:
    """Return the player page of a file, which may be a part of an original file.

    The links in the page work as long as a link to the page.
    """

    def url(path: str) -> str:
        return same_origin(links.make("audio", path, lifetime_s=LINK_LIFETIME_S).url)

    file = f"/files/{row.id}"
    stored = url(file)
    converted = {name: url(f"{file}.{name}") for name in WRITTEN_FORMATS}
    data: dict[str, Any] = {
        "name": row.name,
        "duration": row.duration,
        "peaksUrl": url(f"{file}/peaks"),
        "audioUrls": [stored if FORMATS[row.format].plays_in_browsers else converted["flac"], converted["mp3"]],
        "downloads": [
            {"label": row.format.upper(), "note": "as stored", "url": stored},
            *(
                {"label": name.upper(), "note": _NOTES[name], "url": converted[name]}
                for name in WRITTEN_FORMATS
                if name != row.format
            ),
        ],
    }
    return page(
        "player/player.html",
        data,
        title=row.name.removesuffix(f".{row.format}"),
        script=("time_text.js", "waveform.js", "player/player.js"),
        style=("player/player.css",),
        texts={"source": _source(row, original), "facts": " · ".join(_facts(row))},
    )


def _source(row: AudioRow, original: AudioRow | None) -> str:
    """Return where a file comes from."""
    match row.kind:
        case "segment":
            times = f"{row.origin['start_time']:.2f} to {row.origin['end_time']:.2f} s"
            return f"{times} of {original.name if original else 'a deleted file'}"
        case "render":
            return f"Rendered: {row.origin['instrument']}"
        case "recording":
            return "Recording"
        case "upload":
            return "Uploaded file"


def _facts(row: AudioRow) -> list[str]:
    """Return what else the page says about a file below its name."""
    channels = {1: "mono", 2: "stereo"}.get(row.channels, f"{row.channels} channels")
    peak = "silent" if row.peak_db is None else f"peak {row.peak_db:.1f} dB"
    return [f"{row.created_at:%d %B %Y}".lstrip("0"), f"{row.sample_rate / 1000:g} kHz {channels}", peak]
