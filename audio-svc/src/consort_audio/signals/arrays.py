"""The types of arrays that the listening engines share."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
"""Figures in double precision."""
Floats = NDArray[np.float32]
"""Features in single precision, which take half the memory."""
