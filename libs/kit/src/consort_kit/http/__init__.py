"""The HTTP side of a service.

- `app`: the app factory, with the middleware around every request
- `token_check`: checks the token of a request, and slows down guessing
- `docs_page`: the OpenAPI page
- `server_proof`: a server proves that it knows the token, before a client sends it
- `proving_transport`: connections of the service client, each with that proof
- `service_client`: calls to another service
- `midi_files`: stores MIDI files in midi-store
- `id_routes`: finds the service that keeps what an id names
- `blob_responses`: sends a blob or a part of it
- `signed_links`: links that expire, for a browser without the token
- `large_answers`: a link and a summary in place of an answer that is too large for an MCP client
- `web_page`: pages for a browser, with the look and the content policy that all pages share
"""
