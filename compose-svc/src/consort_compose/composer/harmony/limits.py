"""The largest input that the harmony tools accept."""

from consort_compose.composer.music_reading import MOST_NOTES
from consort_music.errors import MusicError
from consort_music.score import Score

MOST_BEATS = 2_000


def check_size(score: Score) -> None:
    """Raise TOO_LARGE if the score has more than MOST_BEATS beats or MOST_NOTES notes."""
    beats = sum(len(bar.metre.beats) for bar in score.bars)
    if beats > MOST_BEATS or score.note_count > MOST_NOTES:
        raise MusicError(
            "TOO_LARGE",
            f"The music has {beats} beats and {score.note_count} notes. Give at most {MOST_BEATS} beats and "
            f"{MOST_NOTES} notes at once, such as one section.",
        )
