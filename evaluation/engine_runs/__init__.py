"""Run an engine on one item of a corpus.

- `species_counterpoint`: write one species against one cantus firmus, and check it with the independent checker.
- `composer_tools`: transform and harmonize one tune, add a voice to it, and export the results.
"""
