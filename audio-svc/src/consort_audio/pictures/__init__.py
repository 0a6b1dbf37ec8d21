"""Pictures of audio: waveform and spectrogram."""
