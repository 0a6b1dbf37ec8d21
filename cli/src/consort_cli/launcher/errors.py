"""Errors that prevent the start of the studio. The message is for the person at the terminal and says what to do.

LauncherError
├── AlreadyRuns      another launcher uses this data folder
├── PortBusy         a port of the studio is in use
├── PostgresError    the embedded database cannot be created or started, or CONSORT_DATABASE_URL does not answer
└── NotHealthy       a part did not become healthy in time, or the detached launcher ended
"""


class LauncherError(Exception):
    """Base class of the launcher's errors."""


class AlreadyRuns(LauncherError):
    """Raised by a launcher if another one already runs the studio."""

    exit_code = 3
    """Exit code of a detached launcher in this case."""


class PortBusy(LauncherError):
    """Raised before anything is started, if a port is in use."""


class PostgresError(LauncherError):
    """Raised while the database is created or prepared. Later problems are in the database's log."""


class NotHealthy(LauncherError):
    """Raised by `DetachedLaunch.wait`."""
