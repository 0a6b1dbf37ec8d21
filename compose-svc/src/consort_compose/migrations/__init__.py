"""Schema of this service, as numbered SQL files."""
