"""Strudel live coding with the real engine: canvas, projects, clips, knowledge."""
