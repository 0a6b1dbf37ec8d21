"""What may be told about a performance to correct its reading."""

from dataclasses import dataclass
from fractions import Fraction

from consort_music.keys import Key
from consort_music.metre import Metre


@dataclass(frozen=True)
class ReadingOptions:
    """Corrections of a reading. None: find out from the notes."""

    metre: Metre | None = None
    key: Key | None = None
    pickup: Fraction | None = None
    """The length of the pickup in quarters; 0 for none."""
    swing: bool | None = None
    """Whether long-short pairs of eighths are swing, to be written straight."""
    voices_per_staff: int = 2
    split_pitch: int | None = None
    """The lowest note of the right hand of keyboard parts, as a MIDI number."""
    finest_grid: int | None = None
    """The most parts into which a beat is divided, such as 4 for 16ths."""
    bpm: float | None = None
    """About how many beats there are in a minute."""
    beat_times: tuple[float, ...] = ()
    """The beats in seconds."""
    uses_file_beats: bool | None = None
    """Whether the beats of the file's tempo map are those of the music."""
