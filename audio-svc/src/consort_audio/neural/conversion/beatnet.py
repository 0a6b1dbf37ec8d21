"""BeatNet: three networks (CRNN: convolution over frequency, two LSTM layers) with the same architecture.

Input: `features` (frames, 272) and the state of the LSTM layers. Output: `activations` (frames, 3), the probabilities
of a beat, a downbeat and neither, and the state after the last frame, so that a long recording can be read in parts.
"""

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from consort_audio.neural.conversion.checkpoint import read_checkpoint
from consort_audio.neural.conversion.errors import UnknownModelFile
from consort_audio.neural.conversion.onnx_graph import OnnxGraph, lstm_weights

BINS = 272
CELLS = 150
_KERNEL = 10


def convert(package_folder: Path, target_folder: Path) -> None:
    for number in (1, 2, 3):
        weights = read_checkpoint(package_folder / "BeatNet" / "models" / f"model_{number}_weights.pt")
        if "conv1.weight" not in weights or weights["lstm.weight_hh_l1"].shape != (4 * CELLS, CELLS):
            raise UnknownModelFile("The weights of BeatNet have another shape than expected.")
        _graph(weights).write(target_folder / f"beatnet-{number}.onnx")


def _graph(weights: dict[str, NDArray[Any]]) -> OnnxGraph:
    graph = OnnxGraph("beatnet")
    features = graph.input("features", ["frames", BINS])
    states = [graph.input(name, [2, 1, CELLS]) for name in ("hidden", "cell")]
    x = graph.add("Unsqueeze", features, graph.constant([1]))
    kernel, bias = graph.constant(weights["conv1.weight"]), graph.constant(weights["conv1.bias"])
    x = graph.add("Relu", graph.add("Conv", x, kernel, bias, kernel_shape=[_KERNEL]))
    x = graph.add("MaxPool", x, kernel_shape=[2], strides=[2])
    x = graph.add("Flatten", x, axis=1)
    x = graph.linear(x, weights["linear0.weight"], weights["linear0.bias"])
    x = graph.add("Unsqueeze", x, graph.constant([1]))
    lstm = {name.removeprefix("lstm."): value for name, value in weights.items() if name.startswith("lstm.")}
    new_states: list[list[str]] = [[], []]
    for layer in (0, 1):
        first = [graph.add("Slice", state, *map(graph.constant, ([layer], [layer + 1], [0]))) for state in states]
        inputs = [graph.constant(each) for each in lstm_weights(lstm, [f"l{layer}"])]
        x, hidden, cell = graph.add_with_outputs("LSTM", 3, x, *inputs, "", *first, hidden_size=CELLS)
        x = graph.add("Squeeze", x, graph.constant([1]))
        new_states[0].append(hidden)
        new_states[1].append(cell)
    x = graph.add("Squeeze", x, graph.constant([1]))
    x = graph.linear(x, weights["linear.weight"], weights["linear.bias"])
    graph.output(graph.add("Softmax", x, axis=-1), "activations", ["frames", 3])
    for name, parts in zip(("new_hidden", "new_cell"), new_states, strict=True):
        graph.output(graph.add("Concat", *parts, axis=0), name, [2, 1, CELLS])
    return graph
