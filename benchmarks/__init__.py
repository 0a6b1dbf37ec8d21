"""What the studio costs, beside what others cost: `consort bench [NAME]`.

A benchmark is a module here with `def run() -> Report`; it measures its baselines in the same run.
"""
