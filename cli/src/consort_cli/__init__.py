"""The `consort` command."""
