"""Requests that a musician would type to find a clip of the library, each with the clip that was meant.

The clips were drawn at random with a fixed seed, spread evenly over the genres. For each the author saw only the code,
the genre and the tempo, not the name, the description or the tags, and wrote what somebody would ask for who wants
this. Other clips of the same genre may serve as well, so even a perfect search does not reach 100 %.

`data/requests_for_clips` has one file for each draw: from the library when it had 195 clips, and from the clips that
were added after that.
"""

from functools import cache
from typing import NamedTuple

from evaluation.strudel_knowledge.toml_rows import rows_of


class RequestForClip(NamedTuple):
    text: str
    clip: str
    """The name of the clip that was meant."""


@cache
def clip_requests() -> tuple[RequestForClip, ...]:
    """Return all requests."""
    return tuple(RequestForClip(row["text"], row["clip"]) for row in rows_of("requests_for_clips", "request"))
