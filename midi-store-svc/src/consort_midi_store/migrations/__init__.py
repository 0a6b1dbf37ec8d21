"""Numbered SQL files that create the tables of this service."""
