"""Run preview_events and strudel_export_midi."""

import asyncio
import base64
import zlib
from urllib.parse import urlencode

from consort_kit.errors import InvalidInput
from consort_kit.http.midi_files import store_new_midi_file
from consort_kit.http.service_client import ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.storage.file_names import name_from_title
from consort_music.midi.writer import write_midi
from consort_music.note_sequence.to_midi_file import sequence_to_midi
from consort_music.score import seconds
from consort_strudel.engine import Engine, Evaluation
from consort_strudel.events.cycle_time import beats_per_cycle, cycles_until_repeat, tempos_of
from consort_strudel.events.event_picture import draw_events
from consort_strudel.events.event_table import VoiceTable, voice_tables
from consort_strudel.events.long_evaluation import evaluate_cycles
from consort_strudel.events.midi_export import MidiExport, export_events, unmapped_count, warnings_of
from consort_strudel.events.models import (
    MOST_CYCLES,
    EventsPreview,
    MidiTrackMade,
    PreviewedVoice,
    PreviewEvents,
    StrudelExportMidi,
    StrudelMidi,
)
from consort_strudel.events.script_to_play import UNTITLED, FindProject, ScriptToPlay, find_script, invalid_script
from consort_strudel.events.voices import VoiceFinder
from consort_strudel.validation import Validator

PICTURE_PATH = "/events/picture.png"
_FIRST_LOOK = 32
"""Cycles that are searched for a repeat first."""
_LONGEST_ADDRESS = 16_000
"""Characters of the address of a picture."""
_QUIET = ("[eval] code updated",)
"""How messages of the engine begin that are not warnings."""


class EventService:
    def __init__(
        self, engine: Engine, validator: Validator, find_project: FindProject, client: ServiceClient, links: Links
    ) -> None:
        self._engine = engine
        self._validator = validator
        self._find_project = find_project
        self._client = client
        self._links = links

    async def preview(self, request: PreviewEvents) -> tuple[EventsPreview, str | None]:
        """Return the preview, and the path of its picture if one is wanted."""
        source = await find_script(request, self._find_project)
        end = request.begin + request.cycles
        evaluation = await self.evaluated(source.script, request.begin, end)
        facts = await self._engine.parse(source.script)
        finder = VoiceFinder(facts)
        beats = beats_per_cycle(facts, source.data)
        tempos = tempos_of(evaluation, request.begin, beats)
        tables = voice_tables(evaluation.events, finder)
        heard = {table.name for table in tables}
        warnings = _warnings(evaluation)
        path, url = None, None
        if request.picture:
            path, url, problem = self._picture(request, source)
            warnings += [problem] if problem else []
        answer = EventsPreview(
            begin=request.begin,
            end=end,
            event_count=evaluation.event_count,
            tempo=round(float(tempos[0][1]), 3),
            beats_per_cycle=float(beats),
            seconds=round(seconds(tempos, request.cycles * beats), 3),
            voices=_within(tables, request.max_rows),
            silent_voices=[voice.name for voice in finder.voices if voice.name not in heard] or None,
            picture_url=url,
            warnings=warnings or None,
        )
        return answer, path

    async def draw(self, source: ScriptToPlay, begin: int, end: int, width: int, height: int) -> bytes:
        """Return a PNG of the events."""
        evaluation = await self.evaluated(source.script, begin, end)
        made = await self._exported(source, evaluation, begin, end, None)
        title = f"{source.name or 'Script'}, cycles {begin} to {end - 1}"
        return await asyncio.to_thread(draw_events, made, title, width, height)

    async def project(self, name: str, version: int | None) -> ScriptToPlay:
        return await self._find_project(name, version)

    async def export(self, request: StrudelExportMidi) -> StrudelMidi:
        source = await find_script(request, self._find_project)
        evaluation, cycles, warnings = await self._chosen_cycles(source.script, request)
        end = request.begin + cycles
        made = await self._exported(source, evaluation, request.begin, end, request.beats_per_cycle)
        if not made.note_count:
            raise InvalidInput(
                f"There is nothing for a MIDI file in the cycles {request.begin} to {end - 1}. "
                "preview_events shows what they play.",
                code="EMPTY_INPUT",
                details={"left_out": dict(made.unmapped)},
                suggestions=["preview_events", "more cycles"],
            )
        content = await asyncio.to_thread(lambda: write_midi(sequence_to_midi(made.music)))
        default_name = name_from_title(source.name or UNTITLED, ".mid")
        stored = await store_new_midi_file(self._client, content, request.name, default_name)
        tempos = made.music.tempos
        return StrudelMidi(
            midi_file_id=stored["midi_file_id"],
            path=stored.get("path"),
            full_path=stored.get("full_path"),
            download_url=stored.get("download_url"),
            note_count=made.note_count,
            event_count=evaluation.event_count,
            unmapped_count=unmapped_count(made),
            cycles=cycles,
            seconds=round(seconds(tempos, made.music.end), 3),
            tempo=round(float(tempos[0][1]), 3),
            tempo_changes=len(tempos) - 1,
            beats_per_cycle=float(made.music.end / cycles),
            tracks=[
                MidiTrackMade(name=track.name, instrument=track.instrument.name, note_count=len(track.notes))
                for track in made.music.tracks
            ],
            warnings=[*warnings, *_warnings(evaluation), *warnings_of(made)] or None,
        )

    async def evaluated(self, script: str, begin: int, end: int) -> Evaluation:
        """Return the events. Raise INVALID_SCRIPT if the script cannot be evaluated."""
        evaluation = await evaluate_cycles(self._engine, script, begin, end)
        if evaluation.error is not None:
            raise await invalid_script(self._validator, script, "evaluated", evaluation)
        return evaluation

    async def _chosen_cycles(self, script: str, request: StrudelExportMidi) -> tuple[Evaluation, int, list[str]]:
        """Return the events, the number of cycles, and warnings. By default the music is taken until it repeats."""
        if request.cycles is not None:
            end = request.begin + request.cycles
            return await self.evaluated(script, request.begin, end), request.cycles, []
        for cycles in (_FIRST_LOOK, 2 * MOST_CYCLES):
            evaluation = await evaluate_cycles(self._engine, script, 0, cycles)
            if evaluation.is_late and cycles == _FIRST_LOOK:
                raise await invalid_script(self._validator, script, "evaluated", evaluation)
            is_complete = evaluation.error is None and len(evaluation.events) == evaluation.event_count
            period = cycles_until_repeat(evaluation.events, cycles) if is_complete else None
            if period is not None:
                return await self.evaluated(script, request.begin, request.begin + period), period, []
        evaluation = await self.evaluated(script, request.begin, request.begin + _FIRST_LOOK)
        return evaluation, _FIRST_LOOK, [f"The music does not repeat soon; these are {_FIRST_LOOK} cycles of it."]

    async def _exported(
        self, source: ScriptToPlay, evaluation: Evaluation, begin: int, end: int, beats: float | None
    ) -> MidiExport:
        facts = await self._engine.parse(source.script)
        per_cycle = beats_per_cycle(facts, {"beats_per_cycle": beats} if beats else source.data)
        return await asyncio.to_thread(
            export_events, evaluation, VoiceFinder(facts), begin, end, per_cycle, source.name
        )

    def _picture(self, request: PreviewEvents, source: ScriptToPlay) -> tuple[str | None, str | None, str | None]:
        """Return the path of the picture, a link to it if the script is a project's, and what is wrong."""
        query = {
            "begin": str(request.begin),
            "cycles": str(request.cycles),
            "width": str(request.width),
            "height": str(request.height),
        }
        if source.name is not None and source.version is not None:
            query |= {"project_name": source.name, "version": str(source.version)}
            return f"{PICTURE_PATH}?{urlencode(query)}", self._links.make("strudel", PICTURE_PATH, query).url, None
        query["script"] = packed(source.script)
        path = f"{PICTURE_PATH}?{urlencode(query)}"
        if len(path) > _LONGEST_ADDRESS:
            return None, None, "The script is too long for a picture. Store it with create_project first."
        return path, None, None


def packed(script: str) -> str:
    """Return a script as text for an address."""
    return base64.urlsafe_b64encode(zlib.compress(script.encode(), 9)).decode()


def unpacked(text: str, limit: int) -> str:
    """Return the script of `packed`. Raise INVALID_INPUT if it is none, or longer than `limit` bytes."""
    try:
        reader = zlib.decompressobj()
        script = reader.decompress(base64.urlsafe_b64decode(text), limit)
        if not reader.eof:
            raise ValueError
        return script.decode()
    except (ValueError, zlib.error) as error:
        raise InvalidInput("This link was cut off. Ask for a new one.") from error


def _within(tables: list[VoiceTable], most: int) -> list[PreviewedVoice]:
    """Return the voices with at most `most` rows in all. Each has a share; rows that one does not need go to others."""
    left = most
    shown: dict[int, int] = {}
    for place, index in enumerate(sorted(range(len(tables)), key=lambda index: len(tables[index].rows))):
        share = left // (len(tables) - place)
        shown[index] = min(len(tables[index].rows), share)
        left -= shown[index]
    return [
        PreviewedVoice(
            voice=table.name,
            line=table.line,
            event_count=table.event_count,
            common=table.common or None,
            rows=table.rows[: shown[index]],
            rows_left_out=len(table.rows) - shown[index] or None,
        )
        for index, table in enumerate(tables)
    ]


def _warnings(evaluation: Evaluation) -> list[str]:
    lines = [text for text in evaluation.messages if not text.startswith(_QUIET)][:10]
    if evaluation.event_count > len(evaluation.events):
        lines.append(
            f"Only {len(evaluation.events)} of {evaluation.event_count} events are used. Ask for fewer cycles."
        )
    return lines
