"""Install what `consort up` installs besides packages: listening models, Strudel's engine and sounds, and so on.

`start.py` runs this module at the first start, because a bundle has no other moment to do it. Each part that cannot be
downloaded is left out, and `consort doctor` names it.
"""

from consort_cli import bootstrap, listening_models, live_code_engine, score_library, sentence_model, sound_library

DONE = bootstrap.VENV / "bundle-extras"


def main() -> None:
    listening_models.install_if_possible()
    live_code_engine.install_if_possible()
    sentence_model.install_if_possible()
    sound_library.install_if_possible()
    score_library.install_if_possible()
    DONE.touch()


if __name__ == "__main__":
    main()
