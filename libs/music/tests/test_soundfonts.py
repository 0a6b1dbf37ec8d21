"""Finding FluidSynth's library and a soundfont."""

from pathlib import Path

import pytest

from consort_music.synth import soundfonts


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "soundfonts").mkdir()
    return tmp_path


def font(folder: Path, name: str) -> Path:
    (folder / name).touch()
    return folder / name


def test_the_setting_comes_first_and_must_exist(data: Path) -> None:
    own = font(data, "own.sf2")
    font(data / "soundfonts", "MuseScore_General.sf3")
    assert soundfonts.find_soundfont(str(own), data) == own
    assert soundfonts.find_soundfont("/nowhere/font.sf2", data) is None


def test_the_data_folder_comes_before_the_system(data: Path) -> None:
    installed = soundfonts.find_soundfont(None, data)
    assert installed is not None and installed.stem.startswith("MuseScore_General")
    assert soundfonts.find_soundfont("", data / "without a folder") == installed
    unknown = font(data / "soundfonts", "my own.SF2")
    assert soundfonts.find_soundfont(None, data) == unknown


def test_the_best_known_font_of_a_folder_is_chosen(data: Path) -> None:
    folder = data / "soundfonts"
    font(folder, "another.sf2")
    font(folder, "readme.txt")
    for better in ("default-GM.sf2", "FluidR3_GM.sf2", "MuseScore_General_Lite.sf3"):
        chosen = font(folder, better)
        assert soundfonts.find_soundfont(None, data) == chosen


def test_what_is_missing_is_described_with_the_command(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert soundfonts.describe_missing(None, data) is None
    problem = soundfonts.describe_missing("/nowhere/font.sf2", data, "midi_to_audio")
    assert problem == (
        "midi_to_audio lacks the soundfont /nowhere/font.sf2. "
        "To get it: apt-get install libfluidsynth3 musescore-general-soundfont-small."
    )
    monkeypatch.setattr(soundfonts, "find_library", lambda: None)
    assert "The built-in synth lacks FluidSynth's library" in (soundfonts.describe_missing(None, data) or "")
