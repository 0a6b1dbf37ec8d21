"""Find ticks, and the state at a tick.

- `beats`: raise an error if a file does not count time in beats
- `tick_ranges`: convert a range of bars, beats or milliseconds to ticks
- `midi_state`: find the programs, controllers, tempo and signatures that are in force at a tick
"""
