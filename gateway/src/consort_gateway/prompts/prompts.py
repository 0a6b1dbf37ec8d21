"""List the prompts, write one out, and complete its arguments."""

import difflib
import re
from collections.abc import Collection

import mcp_types as types

from consort_gateway.guides import load_skills
from consort_gateway.prompts.jobs import JOBS, Job, JobArgument
from consort_gateway.resources.studio_resources import REFERENCE_TTL_MS, StudioResources
from consort_gateway.service_calls import ReportProgress
from consort_kit.errors import InvalidInput, NotFound

MAX_VALUE = 20_000
"""The longest value of an argument: a melody may be given as notes."""
_BY_NAME = {job.name: job for job in JOBS}


class Prompts:
    def __init__(self, tools: Collection[str], resources: StudioResources) -> None:
        """Offer the prompts that can be done with these tools. Arguments are completed from the resources."""
        self._offered = [job for job in JOBS if set(job.needs) <= set(tools)]
        self._resources = resources

    def list(self) -> types.ListPromptsResult:
        prompts = [
            types.Prompt(
                name=job.name,
                title=job.title,
                description=job.description,
                arguments=[
                    types.PromptArgument(name=each.name, description=each.description, required=each.required)
                    for each in job.arguments
                ],
            )
            for job in self._offered
        ]
        return types.ListPromptsResult(prompts=prompts, ttl_ms=REFERENCE_TTL_MS, cache_scope="private")

    def write(self, name: str, values: dict[str, str]) -> types.GetPromptResult:
        """Return the message that asks for the job, followed by its guide.

        Raise NotFound if there is no such prompt, and InvalidInput if an argument is missing, unknown or wrong.
        """
        job = self._find(name)
        known = {argument.name for argument in job.arguments}
        for given in values:
            if given not in known:
                raise _unknown_argument(job, given)
        lines = [job.task]
        for argument in job.arguments:
            value = values.get(argument.name, "").strip()
            _check(argument, value)
            if value:
                lines.append(argument.says.format(value))
        guide = load_skills()[job.skill]
        lines += ["", "Work as this guide says. Its calls are examples: use my wishes instead.", "", guide.body]
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text="\n".join(lines)))
        return types.GetPromptResult(description=job.description, messages=[message])

    async def complete(self, name: str, argument: str, typed: str, report: ReportProgress) -> types.Completion:
        """Return values that fit what was typed: usual ones, or ids and names of what the user has."""
        job = self._find(name)
        found = next((each for each in job.arguments if each.name == argument), None)
        if found is None:
            raise _unknown_argument(job, argument)
        values = [choice for choice in found.choices if typed.lower() in choice.lower()]
        values.sort(key=lambda choice: not choice.lower().startswith(typed.lower()))
        has_more = False
        for kind in found.kinds:
            more = await self._resources.complete_kind(kind, typed, report)
            values += more.values
            has_more = has_more or bool(more.has_more)
        return types.Completion(values=values[:100], has_more=has_more or len(values) > 100)

    def _find(self, name: str) -> Job:
        job = _BY_NAME.get(name)
        if job in self._offered:
            return job
        if job is not None:
            why = f"it needs {' and '.join(job.needs)}: the studio is read-only, or the toolset was not chosen"
            raise NotFound(f"The prompt {name} is switched off, because {why}.", code="PROMPT_SWITCHED_OFF")
        names = [each.name for each in self._offered]
        near = difflib.get_close_matches(name[:80], names, n=3, cutoff=0.4)
        hint = f"Did you mean {near[0]}?" if near else f"Prompts: {', '.join(names)}."
        raise NotFound(f"There is no prompt {name[:80]!r}. {hint}", code="UNKNOWN_PROMPT", suggestions=near or names)


def _check(argument: JobArgument, value: str) -> None:
    """Raise InvalidInput if the value (empty: none was given) is not one for this argument."""
    examples = list(argument.choices[:3])
    hint = f" Example: {examples[0]}." if examples else ""
    if not value and argument.required:
        raise InvalidInput(
            f"Give {argument.name!r}: {argument.description}{hint}", field=argument.name, suggestions=examples
        )
    if len(value) > MAX_VALUE:
        raise InvalidInput(
            f"{argument.name!r} has {len(value):,} characters. Send at most {MAX_VALUE:,}.", field=argument.name
        )
    if value and argument.range is not None:
        low, high = argument.range
        if not (re.fullmatch(r"[0-9]{1,3}", value) and low <= int(value) <= high):
            raise InvalidInput(
                f"{argument.name!r} must be a whole number from {low} to {high}, not {value[:80]!r}.{hint}",
                field=argument.name,
                suggestions=examples,
            )


def _unknown_argument(job: Job, given: str) -> InvalidInput:
    known = [argument.name for argument in job.arguments]
    return InvalidInput(
        f"{job.name} has no argument {given[:80]!r}. It has {', '.join(known)}.", field=given[:80], suggestions=known
    )
