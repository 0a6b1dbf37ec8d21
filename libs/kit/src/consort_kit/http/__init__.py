"""The HTTP side of a service.

- `app`: the app factory, with the middleware around every request
- `docs_page`: the OpenAPI page
- `service_client`: calls to another service
- `midi_files`: stores MIDI files in midi-store
- `id_routes`: finds the service that keeps what an id names
- `blob_responses`: sends a blob or a part of it
- `signed_links`: links that expire, for a browser without the token
- `web_page`: pages for a browser, with the look and the content policy that all pages share
"""
