"""Composer, scores, songs and notation."""
