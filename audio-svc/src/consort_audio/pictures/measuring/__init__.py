"""Measure audio for a picture, block by block, so that the memory needed does not depend on the length of the file.

    columns       divide a part of a file into columns, one for each pixel of the time axis
    envelope      lowest, highest and RMS value of each column, and where the audio is clipped
    octaves       the audio at lower and lower sample rates, for low notes
    windows       the windows of a spectrogram: lengths, places, and the rows that they fill
    spectrogram   the power of each column at each frequency, by short-time Fourier transforms
    measure       read the blocks once and measure all of it

Audio arrives as float32 blocks of shape (frames, channels), with full scale at 1.
"""
