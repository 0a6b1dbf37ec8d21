"""FluidSynth, the synthesizer that playback and rendering use.

soundfonts      find FluidSynth's library and a soundfont, and say how to install them (standard library only)
fluid_synth     send MIDI messages to FluidSynth and get its sound (needs the package pyfluidsynth)
"""
