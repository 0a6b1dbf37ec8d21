"""Install what `consort up` installs besides packages: models, Strudel's engine and sounds, the score library.

`start.py` runs this module at the first start, because a bundle has no other moment to do it. Each part that cannot be
downloaded is left out, and `consort doctor` names it.
"""

from consort_cli import bootstrap, downloads, sound_library

DONE = bootstrap.VENV / "bundle-extras"


def main() -> None:
    downloads.install_if_possible()
    sound_library.install_if_possible()
    DONE.touch()


if __name__ == "__main__":
    main()
