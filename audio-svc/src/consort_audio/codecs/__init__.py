"""Decode, encode and measure audio. Pure functions on files and arrays, for child processes."""
