"""Check that an error has the shape that all errors have."""

from typing import Any

import httpx2

from consort_kit import API_VERSION


def check_error_shape(shape: dict[str, Any]) -> dict[str, Any]:
    """Check that a response body has every key of an error, and return its `error` object."""
    assert set(shape) == {"success", "error", "partial_result"} and shape["success"] is False, shape
    error: dict[str, Any] = shape["error"]
    assert set(error) == {"code", "message", "field", "suggestions", "details"}, shape
    assert error["code"].isupper() and error["message"] and isinstance(error["suggestions"], list), shape
    return error


def check_error_answer(answer: httpx2.Response) -> dict[str, Any]:
    """Check the headers and the body of an HTTP response, and return its `error` object."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-api-version"] == API_VERSION
    assert answer.headers["x-request-id"]
    return check_error_shape(answer.json())
