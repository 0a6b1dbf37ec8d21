"""transkun: convolutions and a transformer over time and pitch (the backbone), and small heads that run in numpy.

The backbone reads `features` (691 frames, 229 mel bands, 6 windows) and reduces them to patches of 8 frames by 4 bands.
Beside the 58 patches of a time step stand one collecting token and 90 target tokens (two pedals and 88 keys), beside
the 88 time steps one collecting step. Each layer attends over the tokens of a time step, then over the steps of a
token; both times the keys and values come from the layer's input. Output: `tokens` (90, 88, 256): targets over time.

Some changes make it faster without another result: the scales of a residual branch and of the queries are multiplied
into the weights, a layer is computed in parts, and the last layer computes the targets only. The position embeddings
are written as a graph of constants, which onnxruntime computes once when it loads the file.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.conversion.checkpoint import read_checkpoint
from consort_audio.neural.conversion.errors import UnknownModelFile
from consort_audio.neural.conversion.onnx_graph import OnnxGraph

FRAMES = 691
MELS = 229
WINDOWS = 6
STEPS, PATCHES = 88, 58
TARGETS = (-64, -67, *range(21, 109))
"""Codes of the target tokens: the sustain and the soft pedal (as minus their MIDI controllers), and the keys."""
_SIZE = 256
_HEADS = 8
_LAYERS = 6
_GROUPS = 4
_EPSILON_RMS = 1e-6
_PARTS = 10

Weights = dict[str, NDArray[Any]]


def convert(package_folder: Path, target_folder: Path) -> None:
    weights = read_checkpoint(package_folder / "transkun" / "pretrained" / "2.0.pt").get("state_dict", {})
    try:
        graph, heads = _backbone(weights), _heads(weights)
    except (KeyError, ValueError) as error:
        raise UnknownModelFile(f"The weights of transkun have other names or shapes than expected: {error}") from error
    graph.write(target_folder / "transkun.onnx")
    _write_arrays(target_folder / "transkun.npz", heads)


def _heads(weights: Weights) -> Weights:
    """Return the arrays of the parts that run in numpy, matrices as inputs x outputs."""
    upsampling = weights["backbone.upConv1dSkip.weight"]  # inputs, outputs, 8 frames
    spectrum = "framewiseFeatureExtractor.spectrogramExtractor"
    heads = {
        "mel_bands": weights["framewiseFeatureExtractor.freq2mels"],
        "hann_window": weights[f"{spectrum}.win"],
        "window_widths": weights[f"{spectrum}.winGen.sigma"],
        "window_centres": weights[f"{spectrum}.winGen.center"],
        "upsampling": upsampling.transpose(0, 2, 1).reshape(_SIZE, -1),
        "upsampling_bias": weights["backbone.upConv1dSkip.bias"],
        "scorer": weights["scorer.map.0.weight"].T,
        "scorer_bias": weights["scorer.map.0.bias"],
    }
    for name, predictor in (("velocity", "velocityPredictor"), ("refinement", "refinedOFPredictor")):
        for number, layer in enumerate((0, 3)):
            heads[f"{name}_{number}"] = weights[f"{predictor}.{layer}.weight"].T
            heads[f"{name}_{number}_bias"] = weights[f"{predictor}.{layer}.bias"]
    return {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in heads.items()}


def _backbone(weights: Weights) -> OnnxGraph:
    graph = OnnxGraph("transkun")
    part = {name.removeprefix("backbone."): value for name, value in weights.items() if name.startswith("backbone.")}
    x = graph.add("Transpose", graph.input("features", [FRAMES, MELS, WINDOWS]), perm=[2, 0, 1])
    x = graph.add("Unsqueeze", x, graph.constant([0]))
    x = graph.convolution(x, part["inputConv.weight"], part["inputConv.bias"], [1, 1, 1, 1])
    bands = _position_embedding(graph, part, "posEmbedBuilder", np.arange(MELS)[:, None])
    x = graph.add("Add", x, graph.add("Unsqueeze", graph.add("Transpose", bands, perm=[1, 0]), graph.constant([1])))
    pads = [5, 3, 4, 2]  # one at each edge, as usual, and what fills the patches
    for layer, strides in ((1, (2, 1)), (5, (2, 2)), (9, (2, 2)), (13, (1, 1))):
        x = graph.convolution(x, part[f"downConv.{layer}.weight"], part[f"downConv.{layer}.bias"], pads, strides)
        x = _group_norm(graph, x, part[f"downConv.{layer + 1}.weight"], part[f"downConv.{layer + 1}.bias"])
        if layer != 13:
            x = graph.add("Gelu", x)
        pads = [1, 1, 1, 1]
    x = graph.add("Transpose", graph.add("Squeeze", x, graph.constant([0])), perm=[1, 2, 0])  # steps, patches, size
    x = graph.add("Pad", x, graph.constant([1, 1, 0, 0, len(TARGETS), 0]))
    x = graph.add("Add", x, _embedding_of_tokens(graph, part))
    for layer in range(_LAYERS):
        x = _layer(graph, part, f"encoderLayers.{layer}.", x, targets_only=layer == _LAYERS - 1)
    graph.output(_rows(graph, x, 1, 1, 1 + STEPS), "tokens", [len(TARGETS), STEPS, _SIZE])
    return graph


def _position_embedding(graph: OnnxGraph, part: Weights, name: str, positions: NDArray[Any]) -> str:
    """Add the embedding of positions (…, coordinates): cosines of a projection, and a small network."""
    phase = graph.linear(
        graph.constant(positions.astype(np.float32)), part[f"{name}.proj.weight"], part[f"{name}.proj.bias"]
    )
    scale = 1 / np.sqrt(len(part[f"{name}.proj.bias"]) / 2)
    x = graph.add("Mul", graph.add("Cos", phase), graph.constant(np.float32(scale)))
    x = graph.add("Gelu", graph.linear(x, part[f"{name}.mlp.0.weight"], part[f"{name}.mlp.0.bias"]))
    return graph.linear(x, part[f"{name}.mlp.3.weight"], part[f"{name}.mlp.3.bias"])


def _embedding_of_tokens(graph: OnnxGraph, part: Weights) -> str:
    """Add the embedding of all tokens: (steps, tokens, size)."""
    steps = np.arange(STEPS + 1)
    embeddings = []
    for name, columns in (("posEmbedBuilderAttnTF", np.arange(PATCHES + 1)), ("posEmbedBuilderAttnTE", TARGETS)):
        positions = np.stack(np.meshgrid(steps, np.asarray(columns), indexing="ij"), axis=-1)
        embeddings.append(_position_embedding(graph, part, name, positions))
    return graph.add("Concat", *embeddings, axis=1)


def _group_norm(graph: OnnxGraph, x: str, weight: NDArray[Any], bias: NDArray[Any]) -> str:
    ones = np.ones(_GROUPS, np.float32)
    grouped = graph.add("Reshape", x, graph.constant([1, _GROUPS, -1]))
    normal = graph.add("InstanceNormalization", grouped, graph.constant(ones), graph.constant(0 * ones), epsilon=1e-5)
    normal = graph.add("Reshape", normal, graph.add("Shape", x))
    scaled = graph.add("Mul", normal, graph.constant(weight[:, None, None]))
    return graph.add("Add", scaled, graph.constant(bias[:, None, None]))


def _layer(graph: OnnxGraph, part: Weights, name: str, x: str, targets_only: bool) -> str:
    """Add a layer. It reads (steps, tokens, size), and also writes that, but the last one (targets, steps, size)."""
    first, tokens = (1 + PATCHES if targets_only else 0), 1 + PATCHES + len(TARGETS)
    h = _rows(graph, x, 1, first, tokens) if targets_only else x
    h = _branches(graph, part, f"{name}{{}}F.", (1 + STEPS, tokens - first, tokens), h, x)
    h = graph.add("Transpose", h, perm=[1, 0, 2])
    memory = graph.add("Transpose", _rows(graph, x, 1, first, tokens) if targets_only else x, perm=[1, 0, 2])
    h = _branches(graph, part, f"{name}{{}}T.", (tokens - first, 1 + STEPS, 1 + STEPS), h, memory)
    return h if targets_only else graph.add("Transpose", h, perm=[1, 0, 2])


def _branches(graph: OnnxGraph, part: Weights, names: str, sizes: tuple[int, int, int], x: str, memory: str) -> str:
    """Add an attention and a feed-forward network: `sizes` are the rows and the tokens of a row of `x` and `memory`.

    Rows do not depend on each other. Computing some of them after the other needs less memory, and is faster because
    more of it stays in the processor's cache. Rows of zeros fill the last part.
    """
    rows, own, others = sizes
    at_once = -(-rows // _PARTS)

    def in_parts(values: str, tokens: int) -> tuple[str, list[int]]:
        filled = graph.add("Pad", values, graph.constant([0, 0, 0, _PARTS * at_once - rows, 0, 0]))
        shape = [at_once, tokens, _SIZE]
        return graph.add("Reshape", filled, graph.constant([_PARTS, *shape])), shape

    def compute(body: OnnxGraph, x_part: str, memory_part: str) -> str:
        h = _attention(body, part, names.format("mhaBlock"), x_part, memory_part)
        return _feed_forward(body, part, names.format("fnnBlock"), h)

    done = graph.scan([in_parts(x, own), in_parts(memory, others)], compute, [at_once, own, _SIZE])
    return _rows(graph, graph.add("Reshape", done, graph.constant([-1, own, _SIZE])), 0, 0, rows)


def _attention(graph: OnnxGraph, part: Weights, name: str, x: str, memory: str) -> str:
    head = _SIZE // _HEADS
    normal = _rms_norm(graph, x)
    query = graph.linear(normal, part[f"{name}module.q_proj_weight"].T / np.float32(np.sqrt(head)))
    key = graph.linear(memory, part[f"{name}module.k_proj_weight"].T)
    value = graph.linear(memory, part[f"{name}module.v_proj_weight"].T)
    split = graph.constant([0, 0, _HEADS, head])
    query = graph.add("Transpose", graph.add("Reshape", query, split), perm=[0, 2, 1, 3])
    key = graph.add("Transpose", graph.add("Reshape", key, split), perm=[0, 2, 3, 1])
    value = graph.add("Transpose", graph.add("Reshape", value, split), perm=[0, 2, 1, 3])
    shares = graph.add("Softmax", graph.add("MatMul", query, key), axis=-1)
    found = graph.add("Transpose", graph.add("MatMul", shares, value), perm=[0, 2, 1, 3])
    found = graph.add("Reshape", found, graph.constant([0, 0, _SIZE]))
    scale = part[f"{name}scale"]
    weight, bias = part[f"{name}module.out_proj.weight"], part[f"{name}module.out_proj.bias"]
    return graph.add("Add", x, graph.linear(found, weight * scale[:, None], bias * scale))


def _feed_forward(graph: OnnxGraph, part: Weights, name: str, x: str) -> str:
    hidden = graph.linear(_rms_norm(graph, x), part[f"{name}module.0.weight"], part[f"{name}module.0.bias"])
    scale = part[f"{name}scale"]
    weight, bias = part[f"{name}module.3.weight"], part[f"{name}module.3.bias"]
    return graph.add("Add", x, graph.linear(graph.add("Gelu", hidden), weight * scale[:, None], bias * scale))


def _rms_norm(graph: OnnxGraph, x: str) -> str:
    power = graph.add("ReduceMean", graph.add("Mul", x, x), graph.constant([-1]), keepdims=1)
    root = graph.add("Sqrt", graph.add("Add", power, graph.constant(np.float32(_EPSILON_RMS))))
    return graph.add("Div", x, root)


def _rows(graph: OnnxGraph, x: str, axis: int, start: int, end: int) -> str:
    return graph.add("Slice", x, *map(graph.constant, ([start], [end], [axis])))


def _write_arrays(path: Path, arrays: Weights) -> None:
    """Write an .npz file whose bytes depend on the arrays only."""
    import zipfile
    from io import BytesIO

    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            buffer = BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), buffer.getvalue())
