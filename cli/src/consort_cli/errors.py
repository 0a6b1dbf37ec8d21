"""What can go wrong while the studio is started. The text is for the person at the terminal and says what to do.

LauncherError
├── AlreadyRuns      another launcher holds this data folder
├── PortBusy         a port of the stack is taken
├── PostgresError    the embedded database cannot be made or started, or the one that was given does not answer
└── NotHealthy       a part did not become healthy in time, or the detached launcher ended
"""


class LauncherError(Exception):
    """Base of all of them."""


class AlreadyRuns(LauncherError):
    """Raised by a launcher that finds another one at work; whoever wanted a running studio has it."""

    exit_code = 3
    """Of a detached launcher."""


class PortBusy(LauncherError):
    """Raised before anything is started."""


class PostgresError(LauncherError):
    """Raised while the database is made or prepared; what happens later is in its log."""


class NotHealthy(LauncherError):
    """Raised to those who wait for a start."""
