"""The database schema, as numbered SQL files. Applied files never change."""
