"""The clip tools."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound, ServiceDown, TooLarge
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.clips.models.clips import (
    ClipDeleted,
    ClipSaved,
    ClipUpdated,
    DeleteClip,
    GetClip,
    SaveClip,
    UpdateClip,
    WholeClip,
)
from consort_strudel.clips.models.searches import ClipList, FindSimilarClips, SearchClips, SimilarClips
from consort_strudel.clips.save_and_change import ClipChanges
from consort_strudel.clips.service import ClipSearch

router = tool_router()


def _search(request: Request) -> ClipSearch:
    search: ClipSearch = request.app.state.clip_search
    return search


def _changes(request: Request) -> ClipChanges:
    changes: ClipChanges = request.app.state.clip_changes
    return changes


TheSearch = Annotated[ClipSearch, Depends(_search)]
TheClipChanges = Annotated[ClipChanges, Depends(_changes)]


@tool(router, title="Search Strudel clips", toolset="strudel_library", effect="read")
async def search_clips(body: SearchClips, search: TheSearch) -> ClipList:
    """Search the library for Strudel clips: find ready-made snippets (a dark techno bassline, drum loop or break, acid
    line, arpeggios, dreamy pad) by a wish in words, genre, level or bpm. Returns code and tags.

    Example: {"query": {"text": "rolling acid line", "element": "bass|melody"}}
    """
    return await search.search(body)


@tool(router, title="Read a Strudel clip", toolset="strudel_library", effect="read", errors=(NotFound,))
async def get_clip(body: GetClip, search: TheSearch) -> WholeClip:
    """Show a whole clip by its id: code, tags, metadata and details.

    Example: {"clip_id": "clip_4r0c…"}
    """
    return await search.get(body)


@tool(
    router,
    title="Save a Strudel clip",
    toolset="strudel_library",
    effect="write",
    errors=(TooLarge, ServiceDown),
)
async def save_clip(body: SaveClip, changes: TheClipChanges) -> ClipSaved:
    """Put Strudel code as a clip into the library: keep, save (store, archive) a pattern, groove or snippet to use
    again later.

    Example: {"clip_data": {"name": "Dub stab", "code": "s(\\"~ stab\\").room(.8)"}, "auto_generate_tags": true}
    """
    return await changes.save(body)


@tool(
    router,
    title="Change a Strudel clip",
    toolset="strudel_library",
    effect="write",
    errors=(NotFound, TooLarge, ServiceDown),
)
async def update_clip(body: UpdateClip, changes: TheClipChanges) -> ClipUpdated:
    """Change a clip: fix or correct its code, name, description, tags, metadata or data.

    Example: {"clip_id": "clip_4r0c…", "updates": {"tags": {"feeling": ["dark"]}}}
    """
    return await changes.update(body)


@tool(router, title="Delete a Strudel clip", toolset="strudel_library", effect="destroy", errors=(NotFound,))
async def delete_clip(body: DeleteClip, changes: TheClipChanges) -> ClipDeleted:
    """Delete a clip from the library for good: remove or erase a saved pattern.

    Example: {"clip_id": "clip_4r0c…", "confirm": true}
    """
    return await changes.delete(body)


@tool(router, title="Find similar Strudel clips", toolset="strudel_library", effect="read", errors=(ServiceDown,))
async def find_similar_clips(body: FindSimilarClips, search: TheSearch) -> SimilarClips:
    """Find clips similar to code: variations of a bassline or beat, alternatives, other or different patterns like it
    that sound closest.

    Example: {"code_snippet": "note(\\"c2 eb2\\").s(\\"sawtooth\\")", "filters": {"genre": "techno"}}
    """
    return await search.similar(body)
