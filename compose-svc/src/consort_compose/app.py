from fastapi import FastAPI

from consort_kit.app import create_app
from consort_kit.settings import Settings

DESCRIPTION = "Composer, scores, songs and notation."


def make_app(settings: Settings) -> FastAPI:
    return create_app("compose", DESCRIPTION, [], settings=settings)
