"""The local sound library: what is built from the sources of this machine, and what a name plays."""

import base64
import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
import soundfile

from consort_kit.sounds_folder import FOLDER_SETTING, library_folder
from consort_strudel.engine.engine import DEFAULT_FOLDER
from consort_strudel.engine.worker import node_program
from consort_strudel.events.midi_sounds import sound_of_drum
from consort_strudel.sounds.build import NoSoundSources, build
from consort_strudel.sounds.fingerprint import is_current
from consort_strudel.sounds.library import SoundLibrary, flat_files, media_type, open_library
from consort_strudel.sounds.substitutes import DRUM_OF_NAME, INSTRUMENT_OF_NAME, substitute_tables


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> SoundLibrary:
    """The library of this machine, or a new one if that is not up to date."""
    data = tmp_path_factory.mktemp("data")
    if is_current(library_folder()):
        return open_library(data)
    folder = tmp_path_factory.mktemp("library") / "sounds"
    build(folder, lambda done, what: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_SETTING, str(folder))
        return open_library(data)


def test_every_program_and_the_usual_drums_are_there(library: SoundLibrary) -> None:
    assert library.programs == tuple(range(128))
    assert {
        "bd",
        "sd",
        "hh",
        "oh",
        "cp",
        "rim",
        "lt",
        "mt",
        "ht",
        "cr",
        "rd",
        "cb",
        "jazz_bd",
        "tr808_cp",
    } <= library.names
    assert {"loop_amen", "tabla", "amen"} <= library.names
    assert {origin.licence for origin in library.origins} == {"MIT", "CC0-1.0"}
    assert all(library.path(file) is not None for file in library.files)


def test_a_kit_plays_the_drum_that_a_midi_file_has_for_the_same_word(library: SoundLibrary) -> None:
    for key in range(35, 82):
        name, number = sound_of_drum(key)
        if name != "misc":
            assert flat_files(library.samples[f"std_{name}"])[number] == f"drums/std_{key}.flac", name


def test_samples_begin_at_once_and_are_loud(library: SoundLibrary) -> None:
    for name in ("std_bd", "std_sd", "jazz_hh", "tr808_cp", "power_cr"):
        for file in flat_files(library.samples[name]):
            path = library.path(file)
            assert path is not None
            frames, rate = soundfile.read(path)
            mono = np.abs(frames if frames.ndim == 1 else frames.max(axis=1))
            assert mono.max() > 0.5, file
            assert np.argmax(mono > 0.02) < 0.02 * rate, file


@pytest.mark.parametrize("program", [0, 4, 33, 48, 60, 73, 119, 127])
def test_every_key_of_an_instrument_has_a_zone_whose_sample_can_be_decoded(library: SoundLibrary, program: int) -> None:
    path = library.path(f"gm/{program:03d}.js")
    assert path is not None
    text = path.read_text()
    zones = json.loads(text.split("={zones:", 1)[1].rsplit("};", 1)[0])
    for key in range(128):
        assert any(zone["keyRangeLow"] <= key <= zone["keyRangeHigh"] for zone in zones), key
    for zone in zones:
        frames, rate = soundfile.read(io.BytesIO(base64.b64decode(zone["file"])))
        assert len(frames) > 0 and rate == zone["sampleRate"]
        assert zone["loopEnd"] <= len(frames)


def test_only_files_of_the_library_have_a_path(library: SoundLibrary) -> None:
    for name in ("library.json", "../x", "drums/../library.json", "/etc/passwd", "packs/x/../../y", "", "gm/128.js"):
        assert library.path(name) is None, name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RolandTR909_bd", "elec_bd"),
        ("RolandTR808_hh", "tr808_hh"),
        ("jazzkit_sd", "jazz_sd"),
        ("nobodysbank_rim", "std_rim"),
        ("snare_modern", "sd"),
        ("piano", "gm_piano"),
        ("sax_stacc", "gm_alto_sax"),
        ("nosuchsound", None),
    ],
)
def test_a_name_from_elsewhere_has_a_substitute(library: SoundLibrary, name: str, expected: str | None) -> None:
    assert library.substitute(name) == expected


def test_the_page_chooses_the_same_substitutes(library: SoundLibrary) -> None:
    names = [*DRUM_OF_NAME, *INSTRUMENT_OF_NAME, "rolandtr909_bd", "linn9000_cr", "jazz_xyz", "nosuchsound", "sax_vib"]
    program = """
        import { substituteFor } from './src/common/substitutes.mjs';
        const { names, known, tables } = JSON.parse(process.argv[1]);
        const has = (name) => known.includes(name) || name.startsWith('gm_');
        console.log(JSON.stringify(names.map((name) => substituteFor(name, has, tables) ?? null)));
    """
    given = {"names": names, "known": sorted(library.names), "tables": substitute_tables()}
    command = [str(node_program()), "--input-type=module", "-e", program, json.dumps(given)]
    done = subprocess.run(command, cwd=DEFAULT_FOLDER, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [library.substitute(name) for name in names]


def test_an_empty_machine_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consort_strudel.sounds.build.find_soundfont", lambda: None)
    monkeypatch.setattr("consort_strudel.sounds.build.find_sonic_pi_samples", lambda: None)
    with pytest.raises(NoSoundSources, match="apt-get install"):
        build(tmp_path / "sounds", lambda done, what: None)


def test_samples_alone_make_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consort_strudel.sounds.build.find_soundfont", lambda: None)
    samples = tmp_path / "samples"
    samples.mkdir()
    soundfile.write(samples / "bd_haus.flac", np.zeros(100), 44_100)
    told: list[float] = []
    build(tmp_path / "sounds", lambda done, what: told.append(done), samples=samples)
    monkeypatch.setenv(FOLDER_SETTING, str(tmp_path / "sounds"))
    library = open_library(tmp_path)
    assert library.samples["bd_haus"] == ["sonic-pi/bd_haus.flac"] and not library.programs
    assert told == sorted(told) and told[-1] == 1
    monkeypatch.setattr("consort_strudel.sounds.fingerprint.find_sonic_pi_samples", lambda: samples)
    monkeypatch.setattr("consort_strudel.sounds.fingerprint.find_soundfont", lambda: None)
    assert is_current(tmp_path / "sounds")
    monkeypatch.setattr("consort_strudel.sounds.fingerprint.find_soundfont", lambda: samples / "bd_haus.flac")
    assert not is_current(tmp_path / "sounds")


def test_media_types_of_files() -> None:
    files = {
        "gm/004.js": "text/javascript",
        "packs/a/Kick.MP3": "audio/mpeg",
        "packs/a/x.aif": "application/octet-stream",
    }
    assert {name: media_type(Path(name)) for name in files} == files
