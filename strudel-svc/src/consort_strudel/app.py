"""The app of strudel-svc. It has no tools yet."""

from fastapi import FastAPI

from consort_kit.http.app import create_app
from consort_kit.settings import Settings

DESCRIPTION = "Strudel live coding with the real engine: canvas, projects, clips, knowledge."


def make_app(settings: Settings) -> FastAPI:
    return create_app("strudel", DESCRIPTION, [], settings=settings)
