"""Check `reference_params` as a tool's own fields are checked: errors name the field and show an example."""

import json
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError, create_model

from consort_audio.comparison.reference.parameters import EXAMPLES, REFERENCES, AnyReference, ReferenceType
from consort_kit.tools.validation import Expected, IdTools, from_validation
from consort_music.music_ids import ID_KINDS, TOOLS_THAT_CONVERT, TOOLS_THAT_LIST


def check_parameters(reference_type: ReferenceType, parameters: dict[str, Any]) -> AnyReference:
    """Return the parameters as a model. Raise InvalidInput."""
    model = _input_model(reference_type)
    body = {"reference_params": parameters}
    try:
        reference: AnyReference = model.model_validate(body).reference_params  # type: ignore[attr-defined]
    except ValidationError as error:
        problems = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        example = json.dumps({"reference_params": EXAMPLES[reference_type]}, ensure_ascii=False)
        id_tools = IdTools(TOOLS_THAT_CONVERT, TOOLS_THAT_LIST, ID_KINDS)
        raise from_validation(problems, body, Expected.of(model, f"Example: {example}", id_tools)) from None
    return reference


@cache
def _input_model(reference_type: ReferenceType) -> type[BaseModel]:
    """Return a model whose only field is `reference_params`."""
    return create_model(f"{reference_type}_input", reference_params=(REFERENCES[reference_type], ...))
