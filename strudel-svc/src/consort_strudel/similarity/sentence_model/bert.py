"""The network of BERT (Devlin et al. 2018) in numpy, with the mean of all tokens as the vector of a text."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from consort_strudel.similarity.sentence_model.tensor_file import Tensor, UnusableModel

_ROOT_OF_2 = np.float32(math.sqrt(2))


@dataclass(frozen=True)
class _Dense:
    weight: Tensor
    """One row per input: a product reads it in this order, which takes a quarter less time."""
    bias: Tensor

    def __call__(self, rows: Tensor) -> Tensor:
        result: Tensor = rows @ self.weight
        result += self.bias
        return result


@dataclass(frozen=True)
class _Norm:
    weight: Tensor
    bias: Tensor
    epsilon: float

    def __call__(self, rows: Tensor) -> Tensor:
        centred: Tensor = rows - rows.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(self.epsilon))
        centred *= self.weight / spread
        centred += self.bias
        return centred


@dataclass(frozen=True)
class _Layer:
    queries_keys_values: _Dense
    joined: _Dense
    attention_norm: _Norm
    wide: _Dense
    narrow: _Dense
    norm: _Norm

    def __call__(self, rows: Tensor, heads: int) -> Tensor:
        rows = self.attention_norm(rows + self.joined(self._attention(rows, heads)))
        return self.norm(rows + self.narrow(_gelu(self.wide(rows))))

    def _attention(self, rows: Tensor, heads: int) -> Tensor:
        count, size = rows.shape
        query, key, value = self.queries_keys_values(rows).reshape(count, 3, heads, size // heads).transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(size // heads))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        result: Tensor = (scores @ value).transpose(1, 0, 2).reshape(count, size)
        return result


class BertEncoder:
    def __init__(self, tensors: dict[str, Tensor], config: dict[str, Any]) -> None:
        """Build the network from named weights. Raise UnusableModel if some are missing."""
        self._tensors = tensors
        try:
            self._heads = int(config["num_attention_heads"])
            self._epsilon = float(config["layer_norm_eps"])
            self.most_tokens = int(config["max_position_embeddings"])
            self.dimensions = int(config["hidden_size"])
            self._words = self._find("embeddings.word_embeddings.weight")
            self._places = self._find("embeddings.position_embeddings.weight")
            self._kind = self._find("embeddings.token_type_embeddings.weight")[0]
            self._norm = self._norm_of("embeddings.LayerNorm")
            self._layers = [self._layer(number) for number in range(int(config["num_hidden_layers"]))]
        except (KeyError, TypeError, ValueError) as error:
            raise UnusableModel(f"The model is not a BERT encoder: {error} is missing or wrong.") from error

    def encode(self, tokens: list[int]) -> Tensor:
        """Return the vector of a text, of length 1."""
        rows = self._norm(self._words[tokens] + self._places[: len(tokens)] + self._kind)
        for layer in self._layers:
            rows = layer(rows, self._heads)
        mean = rows.mean(axis=0)
        result: Tensor = mean / max(float(np.linalg.norm(mean)), 1e-9)
        return result

    def _find(self, name: str) -> Tensor:
        return self._tensors[name] if name in self._tensors else self._tensors[f"bert.{name}"]

    def _dense(self, *names: str) -> _Dense:
        """Return one layer that computes the outputs of all named layers, side by side."""
        weights = np.concatenate([self._find(f"{name}.weight") for name in names])
        biases = np.concatenate([self._find(f"{name}.bias") for name in names])
        return _Dense(np.ascontiguousarray(weights.T), biases)

    def _norm_of(self, name: str) -> _Norm:
        return _Norm(self._find(f"{name}.weight"), self._find(f"{name}.bias"), self._epsilon)

    def _layer(self, number: int) -> _Layer:
        name = f"encoder.layer.{number}"
        return _Layer(
            self._dense(*(f"{name}.attention.self.{part}" for part in ("query", "key", "value"))),
            self._dense(f"{name}.attention.output.dense"),
            self._norm_of(f"{name}.attention.output.LayerNorm"),
            self._dense(f"{name}.intermediate.dense"),
            self._dense(f"{name}.output.dense"),
            self._norm_of(f"{name}.output.LayerNorm"),
        )


def _gelu(rows: Tensor) -> Tensor:
    """Return x * Phi(x), with the error function by Abramowitz and Stegun 7.1.26 (error below 2e-7)."""
    scaled = np.abs(rows) / _ROOT_OF_2
    part = 1 / (1 + np.float32(0.3275911) * scaled)
    series = np.full_like(rows, 1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series *= part
        series += np.float32(factor)
    error_function = np.copysign(1 - series * part * np.exp(-scaled * scaled), rows)
    result: Tensor = rows * np.float32(0.5) * (1 + error_function)
    return result
