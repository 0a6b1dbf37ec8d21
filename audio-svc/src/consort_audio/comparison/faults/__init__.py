"""Judge an aligned take: what was played otherwise than expected, how much it matters, and what to practise.

limits           from which deviation something is a fault, and how severe it is
faults           `Fault`, and its text
unpaired_notes   find missing and extra notes
judging          find the faults of an alignment
scores           pitch_accuracy, rhythm_accuracy, tempo_match, overall
advice           the worst spots, and what to practise there
"""
