"""The type of the networks' numbers."""

import numpy as np
from numpy.typing import NDArray

NetworkArray = NDArray[np.float32]
