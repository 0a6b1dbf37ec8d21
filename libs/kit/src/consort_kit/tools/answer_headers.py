"""Headers of the answers of tools."""

MEDIA_DETAILS_HEADER = "Consort-Beside"
"""Header of a response that is a picture or a sound. Its value is JSON: a link to the picture or sound, and ids."""
PICTURE_HEADER = "Consort-Picture"
"""Header of a JSON response: the path, at the same service, of a picture that the caller is shown beside the JSON."""
ANSWER_LIMIT_HEADER = "Consort-Answer-Limit"
"""Header of a request: the most bytes of the answer, as text in an MCP message. A larger one is replaced by a link."""
