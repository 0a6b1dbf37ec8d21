"""The type of a block of audio."""

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]
"""A block: one row per frame, one column per channel, full scale is 1."""
BLOCK_FRAMES = 65_536
"""About how many frames a block has."""
