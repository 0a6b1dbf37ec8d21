"""Random music written as Humdrum kern and MEI by independent writers is read back with the same notes."""

import random
from fractions import Fraction

import pytest

from consort_compose.score_library.other_formats import detect_other_format, read_other_format
from consort_kit.score_library_folder import score_library_folder

FILES = 25
LENGTHS = {Fraction(4): "1", Fraction(2): "2", Fraction(1): "4", Fraction(1, 2): "8", Fraction(1, 4): "16"}
ACCIDENTALS = {-1: "-", 0: "", 1: "#"}
Voice = list[list[tuple[Fraction, tuple[str, int, int] | None]]]
"""Bars of (length, (letter, accidental, octave) or None for a rest)."""


def random_voice(rng: random.Random, bars: int, low: int) -> Voice:
    voice: Voice = []
    for _ in range(bars):
        bar, left = [], Fraction(4)
        while left:
            length = rng.choice([each for each in LENGTHS if each <= left])
            left -= length
            pitch = (rng.choice("CDEFGAB"), rng.choice([-1, 0, 0, 0, 1]), rng.randint(low, low + 2))
            bar.append((length, pitch if rng.random() < 0.85 else None))
        voice.append(bar)
    return voice


def kern_note(length: Fraction, pitch: tuple[str, int, int] | None) -> str:
    if pitch is None:
        return f"{LENGTHS[length]}r"
    letter, accidental, octave = pitch
    name = letter.lower() * (octave - 3) if octave >= 4 else letter * (4 - octave)
    return f"{LENGTHS[length]}{name}{ACCIDENTALS[accidental] or 'n'}"


def as_kern(voices: list[Voice]) -> str:
    lines = [["**kern"] * len(voices), ["*M4/4"] * len(voices)]
    for number in range(len(voices[0])):
        lines.append([f"={number + 1}"] * len(voices))
        starts: dict[Fraction, list[str]] = {}
        for index, voice in enumerate(voices):
            at = Fraction(0)
            for length, pitch in voice[number]:
                starts.setdefault(at, ["."] * len(voices))[index] = kern_note(length, pitch)
                at += length
        lines += [starts[at] for at in sorted(starts)]
    lines.append(["*-"] * len(voices))
    return "\n".join("\t".join(line) for line in lines) + "\n"


def as_mei(voices: list[Voice]) -> str:
    def event(length: Fraction, pitch: tuple[str, int, int] | None) -> str:
        if pitch is None:
            return f'<rest dur="{LENGTHS[length]}"/>'
        letter, accidental, octave = pitch
        sign = {-1: ' accid="f"', 0: ' accid="n"', 1: ' accid="s"'}[accidental]
        return f'<note pname="{letter.lower()}" oct="{octave}" dur="{LENGTHS[length]}"{sign}/>'

    definitions = "".join(
        f'<staffDef n="{n}" lines="5" clef.shape="G" clef.line="2"/>' for n in range(1, len(voices) + 1)
    )
    measures = ""
    for number in range(len(voices[0])):
        staves = "".join(
            f'<staff n="{index}"><layer n="1">{"".join(event(*each) for each in voice[number])}</layer></staff>'
            for index, voice in enumerate(voices, 1)
        )
        measures += f'<measure n="{number + 1}">{staves}</measure>'
    return (
        '<mei xmlns="http://www.music-encoding.org/ns/mei"><music><body><mdiv><score>'
        f'<scoreDef meter.count="4" meter.unit="4"><staffGrp>{definitions}</staffGrp></scoreDef>'
        f"<section>{measures}</section></score></mdiv></body></music></mei>"
    )


def notes_of(voices: list[Voice]) -> list[tuple[Fraction, Fraction, str]]:
    found = []
    for voice in voices:
        at = Fraction(0)
        for length, pitch in (each for bar in voice for each in bar):
            if pitch is not None:
                found.append((at, length, f"{pitch[0]}{ {-1: 'b', 0: '', 1: '#'}[pitch[1]] }{pitch[2]}"))
            at += length
    return sorted(found)


@pytest.mark.parametrize(("form", "write"), [("kern", as_kern), ("mei", as_mei)])
def test_the_same_notes_come_back(form: str, write: object) -> None:
    assert callable(write)
    for seed in range(FILES):
        rng = random.Random(seed)
        voices = [random_voice(rng, rng.randint(1, 6), 3) for _ in range(1)]
        voices += [random_voice(rng, len(voices[0]), 2)] if seed % 2 else []
        text = write(voices)
        assert detect_other_format(text) == form
        score, _ = read_other_format(text, form, score_library_folder())
        read = sorted((note.start, note.duration, note.pitch.name) for part in score.parts for note in part.notes)
        assert read == notes_of(voices), seed
