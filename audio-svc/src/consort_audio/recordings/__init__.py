"""Recordings that a user makes on a page in the browser."""
