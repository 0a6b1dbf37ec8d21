"""DATA/made-by.json: the newest migration of each schema that was applied to the database of this data folder.

A Consort that does not know them could not read the data, so it does not start. The file is for the embedded database,
which must not be started to find out; the services check the schemas themselves, too.
"""

import json
from pathlib import Path

from consort_cli.launcher.errors import LauncherError
from consort_kit import API_VERSION
from consort_kit.services import DATABASE_SCHEMAS
from consort_kit.storage.migration_files import MadeByNewer, check_is_known, migration_files


def check_data_version(data: Path) -> None:
    """Raise LauncherError if a newer Consort made the data. Otherwise write down the newest migrations of this one."""
    file = data / "made-by.json"
    known = {schema: migration_files(package) for schema, package in DATABASE_SCHEMAS.items()}
    try:
        noted = {str(schema): int(newest) for schema, newest in json.loads(file.read_text())["migrations"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # new, of an earlier Consort, or damaged
        noted = {}
    try:
        for schema, newest in noted.items():
            check_is_known(f"The data in {data} (schema {schema})", [newest], known.get(schema, []))
    except MadeByNewer as error:
        raise LauncherError(str(error)) from error
    ours = {schema: migrations[-1].number for schema, migrations in known.items() if migrations}
    if noted != ours:
        temporary = file.with_name(".made-by.json")
        temporary.write_text(json.dumps({"consort": API_VERSION, "migrations": ours}) + "\n")
        temporary.replace(file)
