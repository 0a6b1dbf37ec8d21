"""Draw measured audio as SVG: waveform, spectrogram, and what is known about it.

    picture             `draw_audio_picture`: measure a file and draw everything, from back to front
    layout              the areas of the picture
    waveform            the lanes of the waveform
    spectrogram_image   the spectrogram as an image, and its axis of notes or frequencies
    colour_map          the colours of the spectrogram
    indexed_png         write an image with a palette as PNG
    rulers              seconds, bars and beats
    overlay_marks       notes and chords
    fault_marks         faults, each kind with its own shape

The look (font, palette, title, legend, labels, keyboard) is that of the piano roll: `consort_music.pictures`.
"""
