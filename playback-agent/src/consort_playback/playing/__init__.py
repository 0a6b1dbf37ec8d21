"""Playing on MIDI ports: the tools, and the sessions behind them."""
