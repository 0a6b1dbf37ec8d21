"""Install what Consort downloads besides its packages: models, Strudel's engine, and the score library.

A part that cannot be downloaded is left out, and `consort doctor` names it.
"""

from consort_cli import listening_models, live_code_engine, score_library, sentence_model


def install_if_possible() -> None:
    """Install each part that is missing or out of date. For a part that fails, print one line."""
    for part in (listening_models, live_code_engine, sentence_model, score_library):
        part.install_if_possible()
