"""What the picture of a practice report needs, as JSON.

Times are in seconds of the take. An expected note is where it was due at the player's own tempo, so that expected and
played notes lie on each other where the playing was right.
"""

from typing import Any

from consort_audio.comparison.faults.faults import Fault
from consort_audio.comparison.faults.judging import JudgedTake

MOST_NOTES = 1500


def drawing_data(take: JudgedTake, found: dict[str, Any]) -> dict[str, Any]:
    """Return the notes, bars and faults of a take."""
    alignment, music = take.alignment, take.music
    expected: list[list[Any]] = []
    bars: list[list[Any]] = []
    late_before = None
    for each in alignment.passes:
        for index in range(each.first, each.last + 1):
            note = music.notes[index]
            start = each.expected_time(note.start)
            if late_before is not None and start < late_before - 0.3:
                continue
            end = min(each.expected_time(note.end), each.end + 2.0)
            expected.append([round(start, 3), round(max(end, start + 0.03), 3), note.pitch + alignment.semitones])
        written = [music.notes[each.first].start, music.notes[each.last].end]
        for bar in music.bars:
            if written[0] - 1e-6 <= bar.start < written[1]:
                bars.append([round(each.expected_time(bar.start), 3), bar.number])
        late_before = each.end
    for fault in take.faults:  # notes that no pass has
        if fault.kind == "missing_note" and fault.expected_index is not None:
            note = music.notes[fault.expected_index]
            row = [round(fault.time, 3), round(fault.time + note.end - note.start, 3), note.pitch + alignment.semitones]
            if not any(abs(row[0] - each[0]) < 0.02 and row[2] == each[2] for each in expected):
                expected.append(row)
    right = {note.played for note in take.notes if note.is_right}
    played = [
        [round(note.start, 3), round(note.end, 3), round(note.pitch - alignment.tuning, 2), index in right]
        for index, note in enumerate(alignment.played)
    ]
    shown = take.faults if found["error_count"] else []
    faults = [
        [round(fault.time, 3), fault.kind, fault.text, fault.severity, _pitch_of(take, fault), fault.bar, fault.beat]
        for fault in shown
    ]
    return {
        "expected": expected[:MOST_NOTES],
        "played": played[:MOST_NOTES],
        "bars": sorted(bars),
        "faults": faults[:MOST_NOTES],
        "restarts": [[each["time"], each["text"]] for each in found["restarts"]],
        "remarks": found["remarks"],
        "title": music.title,
        "scores": found["comparison"],
        "bpm": found.get("tempo", {}).get("played"),
    }


def _pitch_of(take: JudgedTake, fault: Fault) -> int:
    """Return where a fault is drawn: at the played note, or at the missing one."""
    alignment = take.alignment
    if fault.played_index is not None:
        return round(alignment.played[fault.played_index].pitch - alignment.tuning)
    assert fault.expected_index is not None
    return take.music.notes[fault.expected_index].pitch + alignment.semitones
