"""The exceptions raised if an output cannot be opened. Their texts are shown to the user.

OutputError
├── PortGone            the port does not exist
│   └── PortNotReady    the MIDI system rejected our client; trying again can succeed
└── SynthMissing        FluidSynth's library or a soundfont is missing
"""


class OutputError(Exception):
    pass


class PortGone(OutputError):
    pass


class PortNotReady(PortGone):
    pass


class SynthMissing(OutputError):
    pass
