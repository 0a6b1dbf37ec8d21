"""The input of render_piano_roll. The descriptions are sent with every tool listing, so keep them short."""

from typing import Literal

from pydantic import Field

from consort_kit.tools.chosen_music import ChosenMusic, PictureSize
from consort_midi_store.files.models import MidiSource


class PictureOptions(PictureSize, ChosenMusic):
    """The tracks, bars, size and title of a picture."""


class RenderPianoRoll(PictureOptions, MidiSource):
    format: Literal["png", "svg"] = Field("png", description="Chat programs show png.")
