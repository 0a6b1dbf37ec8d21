"""What can go wrong in a conversion."""


class UnknownModelFile(Exception):
    """The package does not contain the file that the conversion expects."""
