"""Rhythm: onsets and how they lie on the beat."""
