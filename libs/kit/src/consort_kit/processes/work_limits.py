"""How much time and memory each kind of work may use in a child process: all limits of the studio, in one place.

A call as a whole, including the time that it waits for its turn, has `CONSORT_TIMEOUT_S`; then its child is killed.
Small inputs are worked on without a child (`ChildLimits.max_size_without_child`), because they cannot take long.
Workers that stay have limits that depend on the length of the sound or on the number of cycles, beside their programs:
`render_program` and `listening_program` of audio-svc, `engine` and `renderer` of strudel-svc.
"""

from consort_kit.processes.child_resource_limits import ChildLimits

_GB = 1024**3
_MB = 1024**2

STUCK_S = 30.0
"""A service is stuck if for so many seconds all its slots or threads work for calls that have ended."""

SUMMARIZE_MIDI = ChildLimits(cpu_s=5, memory_bytes=512 * _MB)
"""Count what is in a new file."""
READ_NOTES = ChildLimits(cpu_s=10, memory_bytes=_GB)
"""Read a page of notes."""
READ_MIDI_TEXT = ChildLimits(cpu_s=20, memory_bytes=_GB)
"""Make a MIDI file of MIDI text."""
TRANSFORM_MIDI = ChildLimits(cpu_s=40, memory_bytes=2 * _GB)
"""The largest file takes about 3 s of CPU time and 0.5 GB, plus the same again for each operation without columns."""
DRAW_MIDI = ChildLimits(cpu_s=15, memory_bytes=1536 * _MB)
"""Draw a piano roll."""
READ_SCORE = ChildLimits(cpu_s=10, memory_bytes=512 * _MB, max_size_without_child=100_000)
"""Read a note list, ABC or MusicXML."""
READ_WITH_MUSIC21 = ChildLimits(cpu_s=15, memory_bytes=_GB)
"""Read a piece or a text with music21. A movement of a string quartet takes 5 s."""
IMPORT_SONG = ChildLimits(cpu_s=20, memory_bytes=_GB)
"""Make a song of a MIDI file."""
ENGRAVE = ChildLimits(cpu_s=400, memory_bytes=3 * _GB)
"""Make sheet music of hundreds of pages, as a job."""
READ_AUDIO = ChildLimits(cpu_s=900, memory_bytes=_GB)
"""Two hours of stereo took 30 to 70 s of CPU time to decode and measure, and 180 to 260 s to encode as MP3."""
CHOOSE_TRACKS = ChildLimits(cpu_s=60, memory_bytes=2 * _GB)
"""Read the tracks of a MIDI file that is to be rendered."""
READ_REFERENCE = ChildLimits(cpu_s=60, memory_bytes=2 * _GB)
"""Find where the music of a reference begins."""
TRANSCRIBE = ChildLimits(cpu_s=30, memory_bytes=1536 * _MB)
"""Write music as Strudel code."""
COMPILE_PLAYBACK = ChildLimits(cpu_s=20, memory_bytes=2 * _GB, max_size_without_child=128 * 1024)
"""Turn a MIDI file into timed messages."""
