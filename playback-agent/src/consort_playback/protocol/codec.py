"""Converts messages to socket frames and back, guided by their type hints.

The JSON head holds the name of the class, a number, and the fields. Bytes are written as hexadecimal text, except for
a field named `payload`, which becomes the raw bytes of the frame. The decoders are built once, when a `MessageCodec`
is created.
"""

import json
from collections.abc import Callable
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from consort_playback.protocol.message import ProtocolMessage
from consort_playback.protocol.socket_frames import SocketFrame, pack_frame

PAYLOAD = "payload"

_Message = TypeVar("_Message", bound=ProtocolMessage)
_Decoder = Callable[[Any], Any]


class ProtocolError(Exception):
    """A frame is damaged, or this side does not know its type."""


class MessageCodec(Generic[_Message]):
    """Encodes and decodes the messages of one direction."""

    def __init__(self, *types: type[_Message]) -> None:
        self._decoders = {each.__name__: _message_decoder(each) for each in types}

    def encode(self, message: _Message, number: int = 0) -> bytes:
        """Return the whole frame. The answer to a command has the same `number` as the command."""
        head = {"type": type(message).__name__, "number": number, "fields": _to_plain(message)}
        text = json.dumps(head, separators=(",", ":"), default=_to_plain)
        return pack_frame(text.encode(), getattr(message, PAYLOAD, b""))

    def decode(self, frame: SocketFrame) -> tuple[int, _Message]:
        """Return the number and the message. Raise ProtocolError if the type is unknown or a field is wrong."""
        try:
            head = json.loads(frame.head)
            values = head["fields"]
            if frame.payload:
                values[PAYLOAD] = frame.payload
            return head["number"], self._decoders[head["type"]](values)
        except (KeyError, TypeError, ValueError) as error:
            raise ProtocolError(f"The frame {bytes(frame.head[:200])!r} is damaged or of an unknown type.") from error


def _to_plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return {name: each for name, each in value.as_dict().items() if name != PAYLOAD}


def _message_decoder(kind: type[ProtocolMessage]) -> _Decoder:
    hints = get_type_hints(kind)
    decoders = {name: _decoder(hints[name]) for name in kind.field_names if name != PAYLOAD}

    def decode(values: dict[str, Any]) -> Any:
        return kind(**{name: decoders[name](value) if name != PAYLOAD else value for name, value in values.items()})

    return decode


def _decoder(hint: Any) -> _Decoder:
    """Return a function that turns a JSON value into a value of this type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, ProtocolMessage):
        return _message_decoder(hint)
    if hint is bytes:
        return bytes.fromhex
    if origin is list:
        item = _decoder(arguments[0])
        return lambda value: [item(each) for each in value]
    if origin is dict:
        item = _decoder(arguments[1])
        return lambda value: {key: item(each) for key, each in value.items()}
    if origin is tuple:
        items = [_decoder(each) for each in arguments]
        return lambda value: tuple([decode(each) for decode, each in zip(items, value, strict=True)])
    if origin is UnionType:
        optional = _decoder(next(each for each in arguments if each is not type(None)))
        return lambda value: None if value is None else optional(value)
    allowed = arguments if origin is Literal else ()
    return lambda value: _checked(value, hint, allowed)


def _checked(value: Any, kind: Any, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed if allowed else type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind}")
    return value
