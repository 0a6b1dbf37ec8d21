"""Write a network as an ONNX file: a small builder of graphs, and the part of Protocol Buffers that it needs.

The numbers of the fields are those of `onnx.proto3`. The same graph gives the same bytes on every machine.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

OPSET = 20
_IR_VERSION = 9
_TENSOR_TYPES = {np.dtype(np.float32): 1, np.dtype(np.int64): 7}
_FLOAT = 1

Attribute = int | float | str | bytes | Sequence[int]
"""The value of a node's attribute; bytes are a graph."""
Shape = Sequence[int | str]
"""Sizes of a tensor's axes; a name stands for a size that is known at run time."""


class OnnxGraph:
    """A graph under construction. Each method adds a node and returns the name of its output."""

    def __init__(self, name: str, outer: "OnnxGraph | None" = None) -> None:
        self.name = name
        self._nodes: list[bytes] = []
        self._inputs: list[bytes] = []
        self._outputs: list[bytes] = []
        self._outermost: OnnxGraph = self if outer is None else outer._outermost
        self._constants: dict[bytes, str] = {}
        self._count = 0

    def input(self, name: str, shape: Shape) -> str:
        self._inputs.append(_value_info(name, shape))
        return name

    def output(self, value: str, name: str, shape: Shape) -> None:
        self._node("Identity", [value], [name], {})
        self._outputs.append(_value_info(name, shape))

    def constant(self, values: Any) -> str:
        """Add an array: of floats as 32-bit floats, of integers as 64-bit integers. Equal arrays are stored once."""
        array = np.asarray(values)
        content = _tensor(array.astype(np.float32 if array.dtype.kind == "f" else np.int64))
        constants = self._outermost._constants
        if content not in constants:
            constants[content] = self._new_name("constant")
        return constants[content]

    def add(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        """Add a node with one output. An empty name stands for an optional input that is left out."""
        return self.add_with_outputs(operator, 1, *inputs, **attributes)[0]

    def add_with_outputs(self, operator: str, outputs: int, *inputs: str, **attributes: Attribute) -> list[str]:
        names = [self._new_name(operator) for _ in range(outputs)]
        self._node(operator, inputs, names, attributes)
        return names

    def scan(self, inputs: Sequence[tuple[str, Shape]], compute: Callable[..., str], output: Shape) -> str:
        """Add `compute` for each index of the first axis of the inputs, one after the other; stack what it returns.

        `compute` gets a graph and names of inputs without the first axis, whose shapes are given.
        """
        body = OnnxGraph(self._new_name("body"), outer=self)
        names = [body.input(body._new_name("part"), shape) for _, shape in inputs]
        body.output(compute(body, *names), body._new_name("result"), output)
        return self.add("Scan", *(name for name, _ in inputs), body=body._content(), num_scan_inputs=len(inputs))

    def linear(self, x: str, weight: NDArray[Any], bias: NDArray[Any] | None = None) -> str:
        """Add `x @ weight.T + bias`, with the weights as PyTorch keeps them: outputs x inputs."""
        product = self.add("MatMul", x, self.constant(np.ascontiguousarray(weight.T)))
        return product if bias is None else self.add("Add", product, self.constant(bias))

    def convolution(
        self, x: str, weight: NDArray[Any], bias: NDArray[Any], pads: Sequence[int], strides: Sequence[int] = (1, 1)
    ) -> str:
        kernel = weight.shape[2:]
        return self.add(
            "Conv", x, self.constant(weight), self.constant(bias), kernel_shape=kernel, pads=pads, strides=strides
        )

    def write(self, path: Path) -> None:
        opset = _bytes_field(1, b"") + _int_field(2, OPSET)
        model = _int_field(1, _IR_VERSION) + _bytes_field(2, b"consort") + _bytes_field(7, self._content())
        path.write_bytes(model + _bytes_field(8, opset))

    def _content(self) -> bytes:
        tensors = [content + _bytes_field(8, name.encode()) for content, name in self._constants.items()]
        return b"".join(
            [
                *(_bytes_field(1, node) for node in self._nodes),
                _bytes_field(2, self.name.encode()),
                *(_bytes_field(5, tensor) for tensor in tensors),
                *(_bytes_field(11, value) for value in self._inputs),
                *(_bytes_field(12, value) for value in self._outputs),
            ]
        )

    def _new_name(self, stem: str) -> str:
        self._outermost._count += 1
        return f"{stem}_{self._outermost._count}"

    def _node(
        self, operator: str, inputs: Sequence[str], outputs: Sequence[str], attributes: Mapping[str, Attribute]
    ) -> None:
        node = [_bytes_field(1, name.encode()) for name in inputs]
        node += [_bytes_field(2, name.encode()) for name in outputs]
        node += [_bytes_field(3, f"{operator}_of_{outputs[0]}".encode()), _bytes_field(4, operator.encode())]
        node += [_bytes_field(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(b"".join(node))


def lstm_weights(
    weights: Mapping[str, NDArray[Any]], suffixes: Sequence[str]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the weights of one layer of a PyTorch LSTM as ONNX wants them. The suffixes name its directions.

    PyTorch orders the gates input, forget, cell, output; ONNX input, output, forget, cell.
    """

    def in_order(array: NDArray[Any]) -> NDArray[Any]:
        gates = np.split(array, 4)
        return np.concatenate([gates[0], gates[3], gates[1], gates[2]])

    def stacked(kind: str) -> NDArray[Any]:
        return np.stack([in_order(weights[f"{kind}_{suffix}"]) for suffix in suffixes])

    return stacked("weight_ih"), stacked("weight_hh"), np.hstack([stacked("bias_ih"), stacked("bias_hh")])


def _tensor(array: NDArray[Any]) -> bytes:
    dims = b"".join(_int_field(1, size) for size in array.shape)
    content = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes()
    return dims + _int_field(2, _TENSOR_TYPES[array.dtype]) + _bytes_field(9, content)


def _value_info(name: str, shape: Shape) -> bytes:
    sizes = [_int_field(1, size) if isinstance(size, int) else _bytes_field(2, size.encode()) for size in shape]
    tensor_type = _int_field(1, _FLOAT) + _bytes_field(2, b"".join(_bytes_field(1, size) for size in sizes))
    return _bytes_field(1, name.encode()) + _bytes_field(2, _bytes_field(1, tensor_type))


def _attribute(name: str, value: Attribute) -> bytes:
    named = _bytes_field(1, name.encode())
    if isinstance(value, int):
        return named + _int_field(3, value) + _int_field(20, 2)
    if isinstance(value, float):
        return named + _key(2, 5) + struct.pack("<f", value) + _int_field(20, 1)
    if isinstance(value, bytes):
        return named + _bytes_field(6, value) + _int_field(20, 5)
    if isinstance(value, str):
        return named + _bytes_field(4, value.encode()) + _int_field(20, 3)
    return named + b"".join(_int_field(8, int(each)) for each in value) + _int_field(20, 7)


def _key(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _int_field(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value)


def _bytes_field(field: int, value: bytes) -> bytes:
    return _key(field, 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    value &= 2**64 - 1  # negative numbers take ten bytes
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)
