"""Clips: short pieces of Strudel code with tags."""
