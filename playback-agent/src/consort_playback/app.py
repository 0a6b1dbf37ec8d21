from fastapi import FastAPI

from consort_kit.app import create_app
from consort_kit.settings import Settings

DESCRIPTION = "Plays MIDI on this machine's devices."


def make_app(settings: Settings) -> FastAPI:
    return create_app("playback", DESCRIPTION, [], settings=settings)
