"""Headers of the answers of tools."""

MEDIA_DETAILS_HEADER = "Consort-Beside"
"""Header of a response that is a picture or a sound. Its value is JSON: a link to the picture or sound, and ids."""
PICTURE_HEADER = "Consort-Picture"
"""Header of a JSON response: the path, at the same service, of a picture that the caller is shown beside the JSON."""
