"""Find the two scripts that a request compares."""

from typing import NamedTuple

from consort_kit.errors import InvalidInput
from consort_strudel.comparing.models import CompareStrudel
from consort_strudel.events.script_to_play import UNTITLED, FindProject, ScriptToPlay
from consort_strudel.projects.patches.apply import apply_patches
from consort_strudel.projects.patches.outline import OutlineOf


class NamedScript(NamedTuple):
    source: ScriptToPlay
    what: str
    """For people: `rain v3`, `rain v3 + patch`."""


async def find_two_scripts(
    request: CompareStrudel, find_project: FindProject, read_outline: OutlineOf
) -> tuple[NamedScript, NamedScript]:
    """Return the script before and the script after. Raise NotFound or InvalidInput if there is no such pair."""
    if request.project_name is None:
        before = NamedScript(ScriptToPlay(request.script_content or ""), f"{UNTITLED} before")
    elif request.patch_instructions is not None or request.new_script_content is not None:
        before = _version(await find_project(request.project_name, request.before_version))
    else:
        return await _two_versions(request, request.project_name, find_project)
    source = before.source
    if request.new_script_content is not None:
        script, what = request.new_script_content, f"{source.name or UNTITLED} after"
    else:
        assert request.patch_instructions is not None
        script = (await apply_patches(source.script, request.patch_instructions, read_outline)).script
        what = f"{before.what if source.name else UNTITLED} + patch"
    return before, NamedScript(ScriptToPlay(script, data=source.data), what)


async def _two_versions(
    request: CompareStrudel, name: str, find_project: FindProject
) -> tuple[NamedScript, NamedScript]:
    after = _version(await find_project(name, request.after_version))
    last = after.source.version or 1
    if request.before_version is None and last == 1:
        raise InvalidInput(
            f"There is no version of '{after.source.name}' before version 1 to compare it with. Give "
            "patch_instructions, which are tried and not saved, or new_script_content.",
            field="before_version",
            suggestions=["patch_instructions", "new_script_content"],
        )
    return _version(await find_project(name, request.before_version or last - 1)), after


def _version(source: ScriptToPlay) -> NamedScript:
    return NamedScript(source, f"{source.name} v{source.version}")
