"""Write music on a grid as a script: tempo, constants for phrases, and a labelled statement for each track."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from consort_music.bars import Bar
from consort_music.instruments import Instrument
from consort_strudel.events.midi_sounds import sound_of_drum, sound_of_program
from consort_strudel.transcribing.bar_text import BarNote, bar_text, decimal
from consort_strudel.transcribing.mini_text import MiniWriter
from consort_strudel.transcribing.phrases import Declarations, Render, rows_code
from consort_strudel.transcribing.pitch_text import PitchSpelling, degrees, names
from consort_strudel.transcribing.read_music import GridMusic, GridTrack, NoteOnGrid
from consort_strudel.transcribing.value_text import bar_values, filled

VelocityDetail = Literal["rounded", "exact", "none"]
PitchChoice = Literal["auto", "degrees", "names"]
_VELOCITY_STEP = Fraction(1, 10)
_RESERVED = frozenset(
    (
        *("await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do"),
        *("else", "enum", "export", "extends", "false", "finally", "for", "function", "if", "import", "in"),
        *("instanceof", "let", "new", "null", "package", "private", "protected", "public", "return", "static"),
        *("super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield"),
        *("tempo", "interface", "implements", "eval", "arguments"),
    )
)
_LONGEST_LABEL = 24


class _Control(NamedTuple):
    """A control of a voice: its value at the start of each note."""

    name: str
    values: dict[Fraction, str]

    @property
    def is_constant(self) -> bool:
        return len(set(self.values.values())) == 1


@dataclass(frozen=True)
class WritingOptions:
    pitches: PitchChoice = "auto"
    velocity: VelocityDetail = "rounded"
    folds: bool = True
    """False: every note and bar is written out, for comparison."""


def write_script(music: GridMusic, options: WritingOptions = WritingOptions()) -> str:  # noqa: B008 - it is frozen
    """Return the script. A cycle is a bar, or four beats if bars have different lengths."""
    return _ScriptWriter(music, options).script()


class _ScriptWriter:
    def __init__(self, music: GridMusic, options: WritingOptions) -> None:
        self._music = music
        self._options = options
        self._mini = MiniWriter(options.folds)
        self._declarations = Declarations()
        self._cycle = music.cycle

    def script(self) -> str:
        labels = unique_labels(self._music.tracks)
        voices = [self._voice(track, label) for track, label in zip(self._music.tracks, labels, strict=True)]
        blocks = ["\n".join(self._heading()), "\n".join(self._tempo())]
        if self._declarations.lines:
            blocks.append("\n".join(self._declarations.lines))
        return "\n\n".join([*blocks, "\n".join(voices)]) + "\n"

    def _heading(self) -> list[str]:
        music = self._music
        key = [music.key.name] if music.key else []
        metres = _metre_text(music.bars)
        cycles = _plain(music.end / self._cycle)
        what = "one bar each" if len({bar.length for bar in music.bars}) == 1 else "four beats each"
        facts = ", ".join([*key, metres, f"{cycles} {'cycle' if cycles == '1' else 'cycles'} ({what})"])
        title = [f"// {_one_line(music.title)}"] if music.title else []
        return [*title, f"// {facts}"]

    def _tempo(self) -> list[str]:
        tempos = self._music.tempos
        lines = [f"setcpm({_plain(tempos[0][1])}/{_plain(self._cycle)})"]
        if len(tempos) > 1:
            bars = [self._tempo_bar(bar) for bar in self._music.bars]
            per_minute = _plain(60 * self._cycle)
            code = self._code([bars], "tempo", lambda rows: f"cps({rows[0]}.div({per_minute}))")
            lines.append(f"tempo: {code}.gain(0)")
        return lines

    def _tempo_bar(self, bar: Bar) -> str:
        tempos = self._music.tempos
        before = [bpm for at, bpm in tempos if at <= bar.start][-1]
        changes = [(at - bar.start, _plain(bpm)) for at, bpm in tempos if bar.start < at < bar.end]
        return bar_values([(Fraction(0), _plain(before)), *changes], bar.length, self._mini)

    def _voice(self, track: GridTrack, label: str) -> str:
        if track.instrument.is_drums:
            return self._drums(track, label)
        spelling = self._spelling(track)
        notes = [
            bar_text(
                [BarNote(note.start - bar.start, note.length, note.pitch) for note in inside],
                bar.length,
                spelling.text,
                self._mini,
            )
            for bar, inside in self._by_bar(track.notes)
        ]
        is_ringing = any(":" in bar for bar in notes)
        form = '{0}.as("' + spelling.control + ':clip")' if is_ringing else spelling.control + "({0})"
        code = self._controlled(form, notes, [self._velocity(track.notes)], label)
        scale = f'.scale("{spelling.scale}")' if spelling.scale else ""
        if track.clip != 1:
            clip = f"clip({decimal(track.clip)})"
            code += f".mul({clip})" if is_ringing else f".{clip}"
        return f'{label}: {code}{scale}.s("{sound_of_program(track.instrument.program)}")'

    def _drums(self, track: GridTrack, label: str) -> str:
        lanes: dict[int, list[NoteOnGrid]] = {}
        for note in track.notes:
            lanes.setdefault(note.pitch, []).append(note)
        codes = [self._drum(key, lanes[key], label) for key in sorted(lanes)]
        if len(codes) == 1:
            return f"{label}: {codes[0]}"
        return f"{label}: stack(\n  " + ",\n  ".join(code.replace("\n", "\n  ") for code in codes) + ",\n)"

    def _drum(self, key: int, notes: Sequence[NoteOnGrid], label: str) -> str:
        name, number = sound_of_drum(key)
        word = f"{name}:{number}" if number else name
        hits = [
            self._mini.onsets(word, [(note.start - bar.start) / bar.length for note in inside])
            for bar, inside in self._by_bar(notes)
        ]
        length = _Control("duration", {note.start: _plain(note.length / self._cycle) for note in notes})
        if not length.is_constant:
            length = _Control("duration", {note.start: decimal(note.length / self._cycle) for note in notes})
        return self._controlled("s({0})", hits, [length, self._velocity(notes)], f"{label}_{name}")

    def _controlled(self, form: str, bars: Sequence[str], controls: Sequence["_Control"], label: str) -> str:
        """Return bars with controls. What is the same for all notes is said once, behind everything else."""
        varied = [control for control in controls if control.values and not control.is_constant]
        rows = [bars, *(self._values(control) for control in varied)]

        def render(expressions: Sequence[str]) -> str:
            calls = zip(varied, expressions[1:], strict=True)
            return form.format(expressions[0]) + "".join(f".{control.name}({each})" for control, each in calls)

        code = self._code(rows, label, render)
        constant = [control for control in controls if control.is_constant]
        return code + "".join(f".{control.name}({next(iter(control.values.values()))})" for control in constant)

    def _values(self, control: "_Control") -> list[str]:
        moments = sorted(control.values.items())
        texts = []
        for bar in self._music.bars:
            inside = [(at - bar.start, value) for at, value in moments if bar.start <= at < bar.end]
            texts.append(bar_values(inside, bar.length, self._mini))
        return filled(texts)

    def _velocity(self, notes: Sequence[NoteOnGrid]) -> "_Control":
        """Return the velocities. Notes that start together have that of the longest one."""
        if self._options.velocity == "none":
            return _Control("velocity", {})
        moments = {note.start: note.velocity for note in sorted(notes, key=lambda note: note.length)}
        is_exact = self._options.velocity == "exact" or len(set(moments.values())) == 1
        written = _exact_velocity if is_exact else _rounded_velocity
        return _Control("velocity", {start: written(velocity) for start, velocity in moments.items()})

    def _code(self, rows: Sequence[Sequence[str]], label: str, render: Render) -> str:
        cycles = [bar.length / self._cycle for bar in self._music.bars]
        return rows_code(rows, cycles, label, self._declarations, render, folds=self._options.folds)

    def _by_bar(self, notes: Sequence[NoteOnGrid]) -> list[tuple[Bar, list[NoteOnGrid]]]:
        """Return every bar with the notes that start in it. The notes are sorted by start."""
        found: list[tuple[Bar, list[NoteOnGrid]]] = []
        place = 0
        for bar in self._music.bars:
            inside: list[NoteOnGrid] = []
            while place < len(notes) and notes[place].start < bar.end:
                inside.append(notes[place])
                place += 1
            found.append((bar, inside))
        return found

    def _spelling(self, track: GridTrack) -> PitchSpelling:
        key = self._music.key
        if key is not None and self._options.pitches != "names":
            found = degrees(key, [note.pitch for note in track.notes])
            if found is not None:
                return found
        return names(key)


def unique_labels(tracks: Sequence[GridTrack]) -> list[str]:
    """Return a label for each track: its name as an identifier, numbered if several are equal."""
    wanted = [_label(track.name, track.instrument) for track in tracks]
    counts, used = Counter(wanted), Counter[str]()
    labels = []
    for label in wanted:
        used[label] += 1
        labels.append(f"{label}{used[label]}" if counts[label] > 1 else label)
    return labels


def _label(name: str, instrument: Instrument) -> str:
    text = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:_LONGEST_LABEL].strip("_")
    if not text or re.fullmatch(r"track(_[0-9]+)?|part(_[0-9]+)?", text):
        text = re.sub(r"[^a-z]+", "_", instrument.name.lower()).strip("_")
    if text[0].isdigit() or text in _RESERVED or len(text) == 1:
        text = f"part_{text}"
    return text


def _metre_text(bars: Sequence[Bar]) -> str:
    """Return the metres and where they change: `4/4, 3/4 from bar 9`."""
    texts: list[str] = []
    last = None
    for bar in bars:
        if bar.metre != last:
            texts.append(bar.metre.name if last is None else f"{bar.metre.name} from bar {bar.number}")
            last = bar.metre
    return ", ".join(texts[:12])


def _plain(value: Fraction) -> str:
    """Return a number of JavaScript: a whole number, a short decimal, or a division."""
    if value.denominator == 1:
        return str(value.numerator)
    if value < 1:
        return f"{value.numerator}/{value.denominator}"
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def _exact_velocity(velocity: int) -> str:
    """Return the shortest number that is this velocity again when it is multiplied by 127 and rounded."""
    share = Fraction(velocity, 127)
    rounded = (Fraction(round(share * 10**places), 10**places) for places in (1, 2, 3))
    return decimal(next(each for each in rounded if round(127 * each) == velocity))


def _rounded_velocity(velocity: int) -> str:
    steps = max(round(Fraction(velocity, 127) / _VELOCITY_STEP), 1)
    return decimal(steps * _VELOCITY_STEP)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)[:120]
