"""Report a wrong CONSORT_ setting by its name, or a token that could be guessed, before anything is started."""

import os
from pathlib import Path

from consort_cli.launcher.errors import LauncherError
from consort_kit.data_folder import problem_of_token, read_or_make_secret

_CHECKED_ELSEWHERE = {"CONSORT_DATA", "CONSORT_PORT_BASE", "CONSORT_DATABASE_URL", "CONSORT_TOKEN"}


def check_settings(data: Path) -> None:
    _check_token(data)
    if not any(name.startswith("CONSORT_") and name not in _CHECKED_ELSEWHERE for name in os.environ):
        return  # avoid the imports below: they take half a second
    from pydantic import ValidationError

    from consort_gateway.settings import GatewaySettings
    from consort_gateway.tools.catalogue import load_catalogue
    from consort_kit.errors import InvalidInput
    from consort_midi_store.settings import MidiStoreSettings

    try:
        MidiStoreSettings()
        load_catalogue(GatewaySettings().toolsets)
    except ValidationError as error:
        first = error.errors()[0]
        raise LauncherError(f"CONSORT_{str(first['loc'][0]).upper()} is wrong: {first['msg']}.") from None
    except InvalidInput as error:
        raise LauncherError(f"CONSORT_TOOLSETS is wrong: {str(error).rstrip('.')}.") from None


def _check_token(data: Path) -> None:
    token = os.environ.get("CONSORT_TOKEN", "")
    if problem := problem_of_token(token):
        raise LauncherError(problem)
    if not token:
        try:
            read_or_make_secret(data / "token")
        except RuntimeError as error:
            raise LauncherError(str(error)) from error
