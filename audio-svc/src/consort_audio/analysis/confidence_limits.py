"""How sure an analysis must be to be used. This module imports nothing: the service's own process needs it too."""

SURE = 0.5
"""Bars, beats and notes off the beat are not reported or drawn with less confidence."""
