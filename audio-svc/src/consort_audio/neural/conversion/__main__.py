"""`python -m consort_audio.neural.conversion PACKAGES TARGET`: convert the packages in one folder into another."""

import sys
from pathlib import Path

from consort_audio.neural.conversion.convert_all import convert_all

if __name__ == "__main__":
    convert_all(Path(sys.argv[1]), Path(sys.argv[2]))
