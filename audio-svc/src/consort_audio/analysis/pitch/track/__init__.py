"""The pitch of one voice over time.

- `yin`: the period of each frame by the difference function (YIN), and frequencies made exact by it
- `partials`: octaves checked in the spectrum, and very high tones
- `pitch_track`: pitch, voicing and level over time, from the swift-f0 model and YIN
- `tuning_drift`: the tuning and its drift
"""
