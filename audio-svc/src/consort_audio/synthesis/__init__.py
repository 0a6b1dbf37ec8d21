"""Render music to sound with FluidSynth."""
