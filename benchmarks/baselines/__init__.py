"""Other software that does the same work, with which the studio is compared.

- `plain_provider`: fastmcp's OpenAPI provider, for `consort bench gateway`.
- `mido_service`: a service that plays with `mido.play`, for `consort bench playback`.
- `random_walk_melody`: a random walk over the scale, for `consort bench melody`.
"""
