"""Write keys, metres, clefs, transpositions and the part list as MusicXML elements."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from consort_music.instruments import DRUM_MAP, Instrument, known_instrument
from consort_music.intervals import Interval
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.notation.musicxml.direction_elements import clean_text
from consort_music.notation.writing.instrument_writing import Clef
from consort_music.notation.writing.notated_score import NotatedPart, NotatedStaff
from consort_music.pitch import Pitch


class PrintedPage(NamedTuple):
    """The paper and the height of a staff of five lines, for programs that open the file."""

    width_mm: float
    height_mm: float
    staff_mm: float


def time_element(metre: Metre) -> str:
    return f"<time><beats>{metre.numerator}</beats><beat-type>{metre.denominator}</beat-type></time>"


def key_element(key: Key, *, is_engraved: bool = False) -> str:
    """Return a key. Engraved music has no church modes, about which MuseScore complains."""
    mode = "" if is_engraved and key.church_mode not in ("major", "minor") else f"<mode>{key.church_mode}</mode>"
    return f"<key><fifths>{key.sharps}</fifths>{mode}</key>"


def page_element(page: PrintedPage) -> str:
    """Return the paper and the size of a staff, 40 tenths. Margins are 12 mm."""

    def tenths(length: float) -> str:
        return f"{length * 40 / page.staff_mm:.0f}"

    margins = "".join(f"<{side}-margin>{tenths(12)}</{side}-margin>" for side in ("left", "right", "top", "bottom"))
    return (
        f"<defaults><scaling><millimeters>{page.staff_mm:g}</millimeters><tenths>40</tenths></scaling><page-layout>"
        f"<page-height>{tenths(page.height_mm)}</page-height><page-width>{tenths(page.width_mm)}</page-width>"
        f'<page-margins type="both">{margins}</page-margins></page-layout></defaults>\n'
    )


def clef_element(clef: Clef, number: int | None) -> str:
    """Return a clef; `number` is that of its staff if the part has several."""
    of = f' number="{number}"' if number else ""
    line = f"<line>{clef.line}</line>" if clef.line else ""
    octaves = f"<clef-octave-change>{clef.octaves}</clef-octave-change>" if clef.octaves else ""
    return f"<clef{of}><sign>{clef.sign}</sign>{line}{octaves}</clef>"


def tab_details(staff: NotatedStaff, number: int | None, capo: int) -> str:
    """Return the lines and the tuning of a staff for tablature. Line 1 is the lowest."""
    of = f' number="{number}"' if number else ""
    tuning = "".join(
        f'<staff-tuning line="{line}">{_tuning(Pitch.from_midi(pitch - capo))}</staff-tuning>'
        for line, pitch in enumerate(reversed(staff.strings), start=1)
    )
    held = f"<capo>{capo}</capo>" if capo else ""
    return f"<staff-details{of}><staff-lines>{len(staff.strings)}</staff-lines>{tuning}{held}</staff-details>"


def transpose_element(interval: Interval) -> str:
    """Return the transposition from written to sounding notes, or nothing if there is none."""
    if interval == Interval(0, 0):
        return ""
    octaves = int(interval.semitones / 12)
    steps, semitones = interval.steps - 7 * octaves, interval.semitones - 12 * octaves
    change = f"<octave-change>{octaves}</octave-change>" if octaves else ""
    return f"<transpose><diatonic>{steps}</diatonic><chromatic>{semitones}</chromatic>{change}</transpose>"


def part_list(parts: Sequence[NotatedPart], *, is_engraved: bool) -> str:
    """Return the list of parts. Neighbours of one family of the orchestra have a bracket."""
    pieces = ["<part-list>\n"]
    channels = _channels(parts)
    numbered = list(enumerate(parts, start=1))
    group_number = 0
    for family, members in groupby(numbered, key=lambda item: _family(item[1])):
        together = list(members)
        is_group = is_engraved and family is not None and len(together) > 1
        if is_group:
            group_number += 1
            bracket = f"{_BRACKET}<group-barline>{'no' if family == _CHOIR else 'yes'}</group-barline>"
            pieces.append(f'<part-group type="start" number="{group_number}">{bracket}</part-group>\n')
        pieces += [_score_part(part, number, channels[number - 1], is_engraved) for number, part in together]
        if is_group:
            pieces.append(f'<part-group type="stop" number="{group_number}"/>\n')
    pieces.append("</part-list>\n")
    return "".join(pieces)


_BRACKET = "<group-symbol>bracket</group-symbol>"
_CHOIR = "choir"
"""The staves of a choir have no common bar lines, which would cross the lyrics."""
_BRACKETED = {
    "Strings": "strings",
    "Brass": "brass",
    "Reed": "woodwinds",
    "Pipe": "woodwinds",
}
_UNNAMED = "Instrument"
_VOICE_NAMES = frozenset({"soprano", "mezzo", "alto", "tenor", "baritone", "bass"})


def _family(part: NotatedPart) -> str | None:
    if len(part.staves) > 1:
        return None
    instrument = known_instrument(part.instrument)
    if instrument is None or instrument.name in ("Choir Aahs", "Voice Oohs"):
        words = part.name.casefold().split()
        return _CHOIR if words and words[0] in _VOICE_NAMES else None
    return _BRACKETED.get(instrument.family)


def _score_part(part: NotatedPart, number: int, channel: int, is_engraved: bool) -> str:
    short = f"<part-abbreviation>{clean_text(part.short_name)}</part-abbreviation>" if part.short_name else ""
    head = f'<score-part id="P{number}"><part-name>{clean_text(part.name)}</part-name>{short}'
    instrument = known_instrument(part.instrument)
    if part.is_drums and is_engraved:
        return f"{head}{_drum_instruments(part, number)}</score-part>\n"
    if instrument is None and not is_engraved:
        return head + "</score-part>\n"
    return f"{head}{_instrument(instrument, part, number, channel)}</score-part>\n"


def _instrument(instrument: Instrument | None, part: NotatedPart, number: int, channel: int) -> str:
    """Return the instrument of a part. An unknown one has only a name: MuseScore misses an instrument otherwise."""
    name = instrument.name if instrument else part.name or _UNNAMED
    named = (
        f'<score-instrument id="P{number}-I1"><instrument-name>{clean_text(name)}</instrument-name></score-instrument>'
    )
    if instrument is None:
        return named
    program = "" if instrument.is_drums else f"<midi-program>{instrument.program + 1}</midi-program>"
    return (
        f'{named}<midi-instrument id="P{number}-I1"><midi-channel>{channel}</midi-channel>{program}</midi-instrument>'
    )


def _drum_instruments(part: NotatedPart, number: int) -> str:
    used = sorted({pitch.midi for chord in part.chords for pitch in chord.pitches}) or [38]
    names = "".join(
        f'<score-instrument id="P{number}-I{drum + 1}"><instrument-name>'
        f"{clean_text(DRUM_MAP.get(drum, f'Drum {drum}'))}</instrument-name></score-instrument>"
        for drum in used
    )
    sounds = "".join(
        f'<midi-instrument id="P{number}-I{drum + 1}"><midi-channel>10</midi-channel>'
        f"<midi-unpitched>{drum + 1}</midi-unpitched></midi-instrument>"
        for drum in used
    )
    return names + sounds


def _channels(parts: Iterable[NotatedPart]) -> list[int]:
    """Return a MIDI channel from 1 to 16 for each part: 10 for drums, the other channels in turn."""
    free, channels = 0, []
    for part in parts:
        if part.is_drums:
            channels.append(10)
        else:
            channels.append(free % 15 + 1 + (free % 15 >= 9))
            free += 1
    return channels


def _tuning(pitch: Pitch) -> str:
    alter = f"<tuning-alter>{pitch.alter}</tuning-alter>" if pitch.alter else ""
    return f"<tuning-step>{pitch.step}</tuning-step>{alter}<tuning-octave>{pitch.octave}</tuning-octave>"
