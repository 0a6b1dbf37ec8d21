"""Standard MIDI Files without loss: `model` holds what a file says, `reader` reads it, `summary` describes it."""
