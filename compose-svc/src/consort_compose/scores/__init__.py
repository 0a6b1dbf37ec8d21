"""Composed scores, kept for 30 days."""
