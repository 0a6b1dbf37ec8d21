"""Drawing piano rolls: positions, colours, labels and limits."""

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.model import META, Event, MidiFile
from consort_music.piano_roll import draw_piano_roll
from consort_music.pictures.colours import PALETTE
from consort_music.pictures.heading import MARGIN
from consort_music.pictures.svg import fit_text, text_width

SVG = "{http://www.w3.org/2000/svg}"
PPQ = 480

Notes = Iterable[tuple[int, int, int, int]]  # start, end, pitch, velocity


def meta(tick: int, kind: int, payload: bytes) -> Event:
    return tick, META, bytes([kind]) + payload


def time(tick: int, numerator: int, power: int) -> Event:
    return meta(tick, 0x58, bytes([numerator, power, 24, 8]))


def track(notes: Notes, name: str = "", channel: int = 0, program: int = 0, extra: Sequence[Event] = ()) -> list[Event]:
    events: list[Event] = [meta(0, 3, name.encode()), (0, 0xC0 | channel, bytes([program])), *extra]
    for start, end, pitch, velocity in notes:
        events += [(start, 0x90 | channel, bytes([pitch, velocity])), (end, 0x80 | channel, bytes([pitch, 64]))]
    events.sort(key=lambda event: event[0])
    return [*events, meta(events[-1][0], 0x2F, b"")]


def song(*tracks: list[Event], format: int = 1, division: int = PPQ) -> MidiFile:
    return MidiFile(format, division, list(tracks))


class Picture:
    """The visible contents of a drawing."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        self.texts = ["".join(text.itertext()) for text in self.root.iter(f"{SVG}text")]
        groups = [group for group in self.root.iter(f"{SVG}g") if group.get("class")]
        self.voices = [group for group in groups if group.get("class") == "voice"]
        self.rects = [rect for group in groups for rect in group.iter(f"{SVG}rect")]
        self.notes = sum(int(rect.get("data-notes", "1")) for rect in self.rects)

    def boxes(self) -> list[tuple[float, float, float, float]]:
        """Return left, top, right and bottom of every text."""
        found = []
        for text in self.root.iter(f"{SVG}text"):
            size, x, y = (float(text.get(name, "0")) for name in ("font-size", "x", "y"))
            width = text_width("".join(text.itertext()), size, bold=text.get("font-weight") is not None)
            left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor", "start")]
            found.append((left, y - 0.72 * size, left + width, y))
        return found


def draw(file: MidiFile, **options: object) -> Picture:
    return Picture(draw_piano_roll(file, **options))  # type: ignore[arg-type]


def assert_no_text_overlaps(picture: Picture) -> None:
    boxes = picture.boxes()
    for (one, its), (other, others) in itertools.combinations(zip(picture.texts, boxes, strict=True), 2):
        apart = its[2] <= others[0] or others[2] <= its[0] or its[3] <= others[1] or others[3] <= its[1]
        assert apart, f"{one!r} at {its} overlaps {other!r} at {others}"


notes_in_order = st.lists(
    st.tuples(st.integers(0, 20_000), st.integers(400, 4000), st.integers(0, 127), st.integers(1, 127)),
    min_size=1,
    max_size=40,
    unique_by=lambda note: note[2],  # one note a key, so that pairing is trivial
).map(lambda notes: [(start, start + length, pitch, velocity) for start, length, pitch, velocity in notes])


@settings(deadline=None, max_examples=60)
@given(notes_in_order, st.integers(320, 2500), st.integers(200, 1500))
def test_the_edges_of_a_note_are_at_its_ticks(notes: list[tuple[int, ...]], width: int, height: int) -> None:
    end = max(note[1] for note in notes)
    picture = draw(song(track(notes)), width=width, height=height, end_beat=Fraction(end, PPQ))  # type: ignore[arg-type]
    left, right = MARGIN + 52, width - MARGIN
    scale = (right - left) / end
    expected = sorted((left + start * scale, (stop - start) * scale) for start, stop, *_ in notes)
    drawn = sorted((float(rect.get("x", "")), float(rect.get("width", ""))) for rect in picture.rects)
    for (x, length), (drawn_x, drawn_length) in zip(expected, drawn, strict=True):
        assert drawn_x == pytest.approx(x, abs=0.006)
        assert drawn_length == pytest.approx(max(length, 1.6), abs=0.011)


def test_higher_notes_are_higher_by_equal_steps() -> None:
    picture = draw(song(track([(480 * index, 480 * index + 400, 50 + index, 80) for index in range(30)])))
    tops = [float(rect.get("y", "")) for rect in sorted(picture.rects, key=lambda rect: float(rect.get("x", "")))]
    steps = [before - after for before, after in itertools.pairwise(tops)]
    assert steps[0] > 5
    assert steps == pytest.approx([steps[0]] * len(steps), abs=0.02)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_every_note_in_the_window_has_a_shape_or_is_counted_in_one(data: st.DataObject) -> None:
    notes = data.draw(notes_in_order)
    start = data.draw(st.integers(0, 40))
    end = data.draw(st.integers(start + 1, 60))
    most = data.draw(st.sampled_from([1, 5, 6000]))
    picture = draw(song(track(notes)), start_beat=start, end_beat=end, max_shapes=most)
    seen = [note for note in notes if note[0] < end * PPQ and note[1] > start * PPQ]
    assert picture.notes == len(seen)
    assert ("No notes here" in picture.texts) == (not seen)


def test_velocity_is_visible_and_tracks_have_different_colours() -> None:
    quiet_and_loud = [(0, 400, 60, 20), (480, 800, 60, 120)]
    picture = draw(song(track(quiet_and_loud, "One"), track(quiet_and_loud, "Two", 1)))
    fills = [[shade.get("fill") for shade in voice.iter(f"{SVG}g") if shade.get("fill")] for voice in picture.voices]
    assert len(fills) == 2
    assert len({fill for voice in fills for fill in voice}) == 4
    assert {voice.get("stroke") for voice in picture.voices} == set(PALETTE[:2])


def test_a_voice_keeps_its_colour_when_it_is_shown_alone() -> None:
    file = song(*(track([(0, 400, 60 + index, 80)], f"Part {index}", index) for index in range(3)))
    assert draw(file, tracks=[2]).voices[0].get("stroke") == PALETTE[2]


def test_a_unison_shows_both_voices() -> None:
    unison = [(0, 1920, 60, 80)]
    first, second = draw(song(track(unison, "Alto"), track(unison, "Tenor", 1))).rects
    tops = sorted(float(rect.get("y", "")) for rect in (first, second))
    assert tops[1] == pytest.approx(tops[0] + float(first.get("height", "")), abs=0.02)


def test_the_legend_names_tracks_instruments_and_numbers_of_notes() -> None:
    melody = [(240 * index, 240 * index + 200, 60 + index % 9, 80) for index in range(33)]
    texts = draw(song(track(melody, "Lead", program=73), track([(0, 60, 36, 100)], "Kit", 9)), title="Song").texts
    assert {"Song", "Lead", "Flute · 33", "Kit", "Drums · 1", "Bass Drum 1", "C4"} <= set(texts)


def test_drums_have_separate_rows_below_the_roll() -> None:
    hits = [(240 * index, 240 * index + 1, 36 + 2 * (index % 4), 80) for index in range(64)]
    picture = draw(song(track([(0, 480, 30, 80)]), track(hits, channel=9)))
    melodic = [float(rect.get("y", "")) for rect in picture.voices[0].iter(f"{SVG}rect")]
    lowest = max(melodic)
    assert picture.notes == 65
    assert len({rect.get("y") for rect in picture.rects if float(rect.get("y", "")) > lowest}) == 4
    assert {"Bass Drum 1", "Acoustic Snare", "Electric Snare", "Closed Hi-Hat"} <= set(picture.texts)


def test_the_channels_of_a_type_0_file_are_voices() -> None:
    events = [(0, 0xC0, b"\x28"), (0, 0xC1, b"\x39")]
    for channel in (0, 1, 9):
        events += [(0, 0x90 | channel, b"\x3c\x50"), (480, 0x80 | channel, b"\x3c\x40")]
    events.sort(key=lambda event: event[0])
    picture = draw(song([meta(0, 3, b"The tune"), *events, meta(480, 0x2F, b"")], format=0))
    assert {"The tune", "Violin", "Trombone", "Drums", "channel 10 · 1", "Hi Bongo"} <= set(picture.texts)


def test_a_type_2_file_shows_its_longest_track_or_the_chosen_one() -> None:
    file = song(track([(0, 99, 60, 80)], "Short"), track([(0, 9999, 60, 80)], "Long"), format=2)
    assert "Long" in draw(file).texts
    assert "Short" not in draw(file).texts
    assert "Short" in draw(file, tracks=[0]).texts


def test_metre_tempo_and_bar_numbers_are_written_above() -> None:
    marks = [time(0, 1, 2), time(480, 4, 2), meta(0, 0x51, (750_000).to_bytes(3, "big"))]
    notes = [(480 * index, 480 * index + 400, 60, 80) for index in range(33)]
    texts = draw(song(track(notes, extra=marks))).texts
    assert texts.index("1/4") < texts.index("4/4") < texts.index("= 80")
    assert [text for text in texts if text.isdecimal()] == [str(bar) for bar in range(1, 10)]


def key(tick: int, sharps: int, is_minor: bool = False) -> Event:
    return meta(tick, 0x59, bytes([sharps % 256, is_minor]))


def test_sections_and_changes_of_key_are_written_above() -> None:
    bar = 4 * PPQ
    form = [
        *(meta(at * bar, 0x06, name) for at, name in ((0, b"Verse"), (8, b"Br\xc3\xbccke"), (16, b"Verse"))),
        *(key(0, 0), key(8 * bar, -3), key(16 * bar, 0)),
    ]
    piece = song(track([(0, 24 * bar, 60, 80)], extra=form))
    whole = draw(piece)
    assert [text for text in whole.texts if text in ("Verse", "Brücke")] == ["Verse", "Brücke", "Verse"]
    assert [text for text in whole.texts if text in ("C major", "Eb major")] == ["C major", "Eb major", "C major"]
    assert_no_text_overlaps(whole)
    later = draw(piece, start_beat=40, end_beat=48).texts
    assert "Brücke" in later and "Eb major" in later and "Verse" not in later, (
        "labels that are valid at the start of the window"
    )


def test_a_single_key_is_a_fact_and_not_a_label() -> None:
    plain, in_d = (draw(song(track([(0, 480, 60, 80)], extra=extra))) for extra in ([], [key(0, 2)]))
    assert not any(text.startswith("D major") for text in plain.texts)
    assert next(text for text in in_d.texts if "D major" in text).startswith("D major ·")
    assert plain.rects[0].get("y") == in_d.rects[0].get("y"), "no line is kept free for it"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40_000), st.text(max_size=30), st.integers(-7, 7)), max_size=40))
def test_section_labels_never_overlap(changes: list[tuple[int, str, int]]) -> None:
    extra = [event for tick, name, sharps in changes for event in (meta(tick, 6, name.encode()), key(tick, sharps))]
    assert_no_text_overlaps(draw(song(track([(0, 40_000, 60, 80)], extra=extra)), width=500, height=300))


def test_the_bars_of_a_pattern_are_counted_by_its_own_metre() -> None:
    """Tracks of a type 2 file are separate pieces: the metre of one has no effect on another."""
    waltz = track([(0, 480 * 12, 60, 80)], "Waltz", extra=[time(0, 3, 2)])
    march = track([(0, 480 * 8, 60, 80)], "March", extra=[time(0, 2, 2)])
    file = song(march, waltz, format=2)
    assert window_of_bars(file, 2, 2) == (Fraction(3), Fraction(6)), "of the longest"
    assert window_of_bars(file, 2, 2, tracks=[0]) == (Fraction(2), Fraction(4))
    with pytest.raises(MusicError, match="ends in bar 4"):
        window_of_bars(file, 5, 5, tracks=[0])


def test_a_window_of_bars() -> None:
    notes = [(480 * index, 480 * index + 480, 60 + index % 5, 80) for index in range(64)]
    file = song(track(notes, extra=[time(0, 3, 2)]))
    start, end = window_of_bars(file, 5, 6)
    assert start == 12
    assert end == 18
    picture = draw(file, start_beat=start, end_beat=end)
    assert picture.notes == 6
    assert any("bars 5-6 of 22" in text and "6 of 64 notes" in text for text in picture.texts)


def test_a_file_timed_by_smpte_frames_has_a_ruler_in_seconds() -> None:
    second = 25 * 40
    notes = [(second * index, second * (index + 1), 60 + index, 80) for index in range(12)]
    file = song(track(notes), division=(256 - 25) << 8 | 40)
    picture = draw(file)
    assert {"0:00", "0:01", "0:11"} <= set(picture.texts)
    assert draw(file, start_beat=3, end_beat=5.5).notes == 3
    with pytest.raises(MusicError, match="no bars"):
        window_of_bars(file, 1, 2)


@pytest.mark.parametrize("notes", [[], [(0, 0, 60, 80)], [(0, 1, 0, 1)], [(0, 9, 127, 127)]])
def test_files_with_few_or_no_notes_are_drawn(notes: list[tuple[int, int, int, int]]) -> None:
    assert draw(song(track(notes))).notes == len(notes)


def test_a_file_of_a_billion_ticks_with_a_thousand_tempos_is_drawn_at_once() -> None:
    tempos = [meta(1000 * index, 0x51, (400_000 + 100 * index).to_bytes(3, "big")) for index in range(1000)]
    metres = [time(700 * index, 1 + index % 9, 3) for index in range(1000)]
    svg = draw_piano_roll(
        song(track([(0, 10, 60, 80), (2**31 - 9, 2**31 - 1, 62, 80)], extra=tempos + metres), division=1)
    )
    assert len(svg) < 60_000
    assert_no_text_overlaps(Picture(svg))


HOSTILE = "</text><script>alert('x')</script>&amp;\"<![CDATA[ ]]>\u202egnihton\x00\ufffe\x1b[31m"


@pytest.mark.parametrize("name", [HOSTILE, "日本の歌 " * 60, "a" * 5000, "e\u0301\u0301\u0301", "\ud800"[:0] + "&"])
def test_hostile_names_are_escaped(name: str) -> None:
    file = song(track([(0, 400, 60, 80)], name), track([(0, 400, 62, 80)], name, 9))
    svg = draw_piano_roll(file, title=name)
    picture = Picture(svg)
    assert {element.tag.removeprefix(SVG) for element in picture.root.iter()} <= {
        *("svg", "rect", "path", "text", "g", "ellipse"),
    }
    assert not any(char in svg for char in "\u202e\x00\x1b\ufffe")
    assert "href" not in svg
    assert "url(" not in svg
    assert_no_text_overlaps(picture)


@pytest.mark.parametrize("size", [(320, 200), (480, 270), (1200, 600), (3000, 2000)])
@pytest.mark.parametrize("tracks", [1, 7, 16, 60])
def test_no_text_overlaps_another_or_leaves_the_picture(size: tuple[int, int], tracks: int) -> None:
    melodic = [
        track(
            [(100 * index + 960 * step, 100 * index + 960 * step + 900, 36 + index, 80) for step in range(40)],
            f"Part {index}",
            index % 9,
        )
        for index in range(tracks)
    ]
    drums = track([(480 * index, 480 * index + 9, 30 + index % 60, 80) for index in range(120)], "Percussion", 9)
    tempos = [meta(333 * index, 0x51, (300_000 + 999 * index).to_bytes(3, "big")) for index in range(100)]
    metres = [time(0, 1, 2), time(480, 4, 2), time(2400, 7, 3), time(20_000, 12, 3)]
    file = song([*sorted([*tempos, *metres], key=lambda event: event[0])], *melodic, drums)
    picture = draw(file, width=size[0], height=size[1], title="A title that is rather long for a small picture")
    assert_no_text_overlaps(picture)
    for text, (left, top, right, bottom) in zip(picture.texts, picture.boxes(), strict=True):
        assert 0 <= left < right <= size[0] + 1, text
        assert 0 <= top < bottom <= size[1], text


def many_notes(count: int, tracks: int) -> MidiFile:
    voices = [
        [
            (60 * index, 60 * index + 20 + index * 7 % 150, 30 + (index * 31 + 5 * part) % 70, 1 + index * 13 % 127)
            for index in range(count // tracks)
        ]
        for part in range(tracks)
    ]
    return song(*(track(notes, f"Part {part}", part % 16) for part, notes in enumerate(voices)))


def test_very_many_notes_make_a_small_picture_that_counts_them_all() -> None:
    svg = draw_piano_roll(many_notes(20_000, 20))
    picture = Picture(svg)
    assert len(svg) < 1_000_000
    assert len(picture.rects) <= 6000
    assert picture.notes == 20_000
    assert any("20,000 notes drawn as" in text for text in picture.texts)


@pytest.mark.parametrize(
    "options",
    [
        {"width": 319},
        {"height": 4001},
        {"start_beat": -1},
        {"start_beat": 8, "end_beat": 8},
        {"start_beat": 1000},
        {"end_beat": math.nan},
        {"end_beat": math.inf},
        {"end_beat": 1e30},
        {"tracks": [7]},
        {"tracks": [-1]},
        {"tracks": []},
    ],
)
def test_impossible_pictures_are_rejected(options: dict[str, object]) -> None:
    with pytest.raises(MusicError) as raised:
        draw(song(track([(0, 480, 60, 80)])), **options)
    assert raised.value.code == "INVALID_PICTURE"


def test_text_is_cut_to_fit() -> None:
    assert fit_text("Violin", 12, 100) == "Violin"
    assert fit_text("Violin", 12, 0) == ""
    short = fit_text("A very long name", 12, 60)
    assert short.endswith("…")
    assert text_width(short, 12) <= 60


# Colours as seen with protanopia, deuteranopia and tritanopia, in linear RGB (Machado, Oliveira and Fernandes, 2009).
SIGHTS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))


def times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: str, sight: str) -> tuple[float, float, float]:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    seen = [min(1, max(0, value)) for value in times(SIGHTS[sight], linear)]
    x, y, z = (
        math.cbrt(value / white) if value / white > 0.008856 else 7.787 * value / white + 16 / 116
        for value, white in zip(times(TO_XYZ, seen), (0.9505, 1, 1.089), strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
def test_colour_blind_readers_can_tell_the_colours_apart(sight: str) -> None:
    for one, other in itertools.combinations(PALETTE, 2):
        assert math.dist(lab(one, sight), lab(other, sight)) > 15, (one, other)


def test_a_note_off_before_its_own_note_on_does_not_stretch_the_notes_after_it() -> None:
    """After hits of zero length, eighth notes are not drawn wider than an eighth."""
    hits = [
        event for tick in range(0, 16 * PPQ, PPQ) for event in ((tick, 0x80, b"\x3c\x40"), (tick, 0x90, b"\x3c\x50"))
    ]
    eighths = [
        event
        for tick in range(PPQ // 2, 16 * PPQ, PPQ)
        for event in ((tick, 0x90, b"\x3c\x50"), (tick + PPQ // 4, 0x80, b"\x3c\x40"))
    ]
    events = [*sorted([*hits, *eighths], key=lambda event: event[0]), meta(16 * PPQ, 0x2F, b"")]
    picture = Picture(draw_piano_roll(song(events)))
    assert picture.notes == 32
    widest = max(float(rect.get("width", "0")) for rect in picture.rects)
    assert widest < 1200 / 16 / 2


def test_the_picture_of_a_type_2_file_says_that_it_shows_one_of_several_patterns() -> None:
    patterns = [track([(0, end, 60, 80)]) for end in (99, 9999, 99)]
    file = song(*patterns, format=2)
    assert any(text.startswith("track 1, one of 3 patterns (type 2)") for text in Picture(draw_piano_roll(file)).texts)
    chosen = Picture(draw_piano_roll(file, tracks=[0, 2])).texts
    assert any(text.startswith("2 of 3 patterns (type 2)") for text in chosen)
    assert not any("pattern" in text for text in Picture(draw_piano_roll(song(*patterns))).texts)
