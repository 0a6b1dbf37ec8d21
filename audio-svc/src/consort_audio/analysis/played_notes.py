"""The note that was heard, under the name that analyses use; it is defined in `signals`, which `neural` may import."""

from consort_audio.signals.played_notes import PlayedNote

__all__ = ["PlayedNote"]
