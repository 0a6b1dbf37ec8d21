"""Report a wrong CONSORT_ setting by its name before anything is started."""

import os

from consort_cli.launcher.errors import LauncherError
from consort_kit.data_folder import problem_of_token

_CHECKED_ELSEWHERE = {"CONSORT_DATA", "CONSORT_PORT_BASE", "CONSORT_DATABASE_URL", "CONSORT_TOKEN"}


def check_settings() -> None:
    if problem := problem_of_token(os.environ.get("CONSORT_TOKEN", "")):
        raise LauncherError(problem)
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
