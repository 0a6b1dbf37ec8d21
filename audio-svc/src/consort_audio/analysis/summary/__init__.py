"""analyze_audio: the three baseline tools at once, from one decode, and a summary in musical terms.

- `models`: input and answer
- `sentences`: the summary
- `answer`: what runs in a worker
- `routes`: the tool
"""
