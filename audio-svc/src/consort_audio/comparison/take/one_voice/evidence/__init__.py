"""What the sound says about notes.

strikes         find where a ringing string is struck again
take_evidence   how clearly a note begins at a moment, and whether a pitch sounds
"""
