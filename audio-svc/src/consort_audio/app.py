"""The app of audio-svc. It has no tools yet."""

from fastapi import FastAPI

from consort_kit.http.app import create_app
from consort_kit.settings import Settings

DESCRIPTION = "Recordings, their analysis and comparison, and synthesis."


def make_app(settings: Settings) -> FastAPI:
    return create_app("audio", DESCRIPTION, [], settings=settings)
