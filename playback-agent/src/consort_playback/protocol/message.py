"""The base class of all commands and events. Type checkers treat its subclasses as frozen dataclasses.

The `dataclasses` module itself is not used, because it would make every child program start later. It imports `inspect`
and compiles several methods for each class, which took 45 ms of CPU time for the 25 classes of `commands`.
"""

from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class ProtocolMessage:
    """A message whose annotated fields are given by position or by name. A field without a default is required."""

    field_names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.field_names = (*cls.field_names, *cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self.field_names, values, strict=False)) | named
        unknown = given.keys() - set(self.field_names)
        missing = [name for name in self.field_names if name not in given and not hasattr(type(self), name)]
        if unknown or missing or len(given) != len(values) + len(named):
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(self.field_names)}; given: {given!r}")
        self.__dict__.update(given)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"

    def as_dict(self) -> dict[str, Any]:
        """Return the values by field name, without converting them."""
        return {name: getattr(self, name) for name in self.field_names}
