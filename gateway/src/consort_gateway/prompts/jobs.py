"""The prompts. To add one, add an entry to `JOBS` and, if it needs one, a guide in `skills/`."""

from dataclasses import dataclass

MAJOR = ("C major", "G major", "D major", "A major", "E major", "F major", "Bb major", "Eb major", "Ab major")
MINOR = ("A minor", "E minor", "B minor", "D minor", "G minor", "C minor", "F minor", "F# minor", "C# minor")
KEYS = MAJOR + MINOR
MODES = ("D dorian", "E phrygian", "F lydian", "G mixolydian", "A blues", "A minor pentatonic")
SCALES = (
    *MAJOR,
    "A natural minor",
    "A harmonic minor",
    "A melodic minor",
    "E natural minor",
    "D dorian",
    "C chromatic",
)
GENRES = ("pop", "folk", "rock", "blues", "jazz", "country", "classical", "film music", "lo-fi", "electronic")
TRACK_GENRES = (
    "house",
    "techno",
    "drum and bass",
    "lo-fi",
    "ambient",
    "chiptune",
    "dub",
    "trap",
    "garage",
    "jazz trio",
)
STYLES = ("pop", "jazz", "classical", "modal")
INSTRUMENTS = ("piano", "guitar", "violin", "flute", "clarinet", "trumpet", "saxophone", "cello", "voice")


@dataclass(frozen=True)
class JobArgument:
    name: str
    description: str
    says: str
    """The sentence that the prompt gets if the argument is given; `{}` is its value."""
    choices: tuple[str, ...] = ()
    """Values to suggest. Others are allowed too."""
    kinds: tuple[str, ...] = ()
    """Kinds of resources whose values are suggested."""
    range: tuple[int, int] | None = None
    """If the value is a number: the lowest and the highest."""
    required: bool = False


@dataclass(frozen=True)
class Job:
    name: str
    title: str
    description: str
    skill: str
    task: str
    needs: tuple[str, ...]
    """Tools without which the job cannot be done. The prompt is offered only with them."""
    arguments: tuple[JobArgument, ...]


def _tempo(*usual: str) -> JobArgument:
    return JobArgument("tempo", "Beats per minute, 20 to 400.", "Tempo: {} BPM.", usual, range=(20, 400))


JOBS = (
    Job(
        "write_song",
        "Write a song",
        "Write a song with chords, melody, bass and drums in sections, and hear it.",
        "songwriting",
        "Write a song for me.",
        ("create_song", "add_notes"),
        (
            JobArgument("idea", "What the song is about, or how it should feel.", "It is about: {}.", required=True),
            JobArgument("genre", "The genre.", "Genre: {}.", GENRES),
            JobArgument("key", "The key.", "Key: {}.", KEYS + MODES),
            _tempo("70", "92", "108", "120", "128"),
        ),
    ),
    Job(
        "arrange_melody",
        "Arrange a melody",
        "Find chords for a melody, write further voices, and show the result as sheet music.",
        "harmony-and-arranging",
        "Arrange a melody for me.",
        ("reharmonize", "midi_to_notation"),
        (
            JobArgument(
                "melody",
                "The melody: an id of a song, score or MIDI file, or notes such as C4:q D4:q E4:h.",
                "The melody: {}",
                kinds=("song", "score", "midi_file"),
                required=True,
            ),
            JobArgument("style", "The style of the harmony.", "Style: {}.", STYLES),
            JobArgument("for_instruments", "Who plays it.", "It is for: {}.", ("piano", "choir", "string quartet")),
        ),
    ),
    Job(
        "counterpoint_lesson",
        "Counterpoint lesson",
        "Learn to write a second voice to a given melody, step by step, with marked mistakes.",
        "counterpoint-lesson",
        "Give me a lesson in counterpoint.",
        ("analyze_harmony", "add_voice"),
        (
            JobArgument(
                "species",
                "1 (note against note) to 5 (florid).",
                "Species: {}.",
                ("1", "2", "3", "4", "5"),
                range=(1, 5),
            ),
            JobArgument("key", "The key or mode.", "Key: {}.", MODES[:4] + KEYS),
            JobArgument("my_voice", "My own solution as notes, to be marked.", "Mark my voice: {}"),
        ),
    ),
    Job(
        "practise_scale",
        "Practise a scale",
        "Record a scale, hear what to improve, and compare a second take.",
        "practice-coach",
        "Practise a scale with me.",
        ("request_audio_recording", "compare_to_reference"),
        (
            JobArgument("scale", "The scale.", "The scale: {}.", SCALES, required=True),
            JobArgument("instrument", "What I play.", "I play: {}.", INSTRUMENTS),
            _tempo("60", "72", "80", "96", "120"),
        ),
    ),
    Job(
        "make_strudel_track",
        "Make a Strudel track",
        "Make a track as live code, listen to it and change it by ear.",
        "live-coding",
        "Make a Strudel track for me.",
        ("create_project", "update_song"),
        (
            JobArgument("style", "Genre or mood.", "It should be: {}.", TRACK_GENRES, required=True),
            JobArgument("project", "A project to continue.", "Continue the project: {}", kinds=("strudel_project",)),
            JobArgument("key", "The key.", "Key: {}.", KEYS + MODES),
            _tempo("84", "120", "128", "140", "174"),
        ),
    ),
    Job(
        "tidy_midi_file",
        "Tidy a MIDI file",
        "Find out what is wrong with a MIDI file, correct timing and range, and write it as sheet music.",
        "midi-clean-up",
        "Tidy a MIDI file for me.",
        ("transform_midi",),
        (
            JobArgument("file", "Id or name of a stored file.", "The file: {}", kinds=("midi_file",), required=True),
            JobArgument(
                "goal",
                "What it should become.",
                "The goal: {}.",
                ("readable sheet music", "tight timing that still breathes", "another key", "only one part"),
            ),
        ),
    ),
)
"""The prompts, in the order in which they are listed."""
