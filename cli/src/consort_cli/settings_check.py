"""A wrong setting is told before anything is started, and by its own name."""

import os

from consort_cli.errors import LauncherError

_CHECKED_ELSEWHERE = {"CONSORT_DATA", "CONSORT_PORT_BASE", "CONSORT_DATABASE_URL", "CONSORT_TOKEN"}


def check_settings() -> None:
    if not any(name.startswith("CONSORT_") and name not in _CHECKED_ELSEWHERE for name in os.environ):
        return  # the imports below take half a second
    from pydantic import ValidationError

    from consort_gateway.catalogue import load_catalogue
    from consort_gateway.settings import GatewaySettings
    from consort_kit.errors import InvalidInput
    from consort_midi_store.settings import MidiStoreSettings

    try:
        MidiStoreSettings()
        load_catalogue(GatewaySettings().toolsets)
    except ValidationError as error:
        first = error.errors()[0]
        raise LauncherError(f"CONSORT_{str(first['loc'][0]).upper()} is wrong: {first['msg']}.") from None
    except InvalidInput as error:
        raise LauncherError(f"CONSORT_TOOLSETS is wrong: {error}.") from None
