"""Code that services share. Only `http/midi_files` depends on a particular service.

- `errors`: the exceptions that services raise, and the JSON form of an error
- `ids`: random ids with a prefix
- `services`: the table of all services and their ports
- `data_folder`: where data is kept on this machine, and the token
- `models_folder`, `sentence_model_folder`: where the listening models and the sentence model are
- `settings`: settings from the environment
- `logs`: JSON log lines with the request's id
- `png`: convert a picture from SVG to PNG
- `tools/`: declare tools: the decorator, models, limits and error messages
- `http/`: the app of a service, calls to other services, signed links
- `storage/`: Postgres, blobs, and files at paths that users give
- `jobs/`: long work, by a queue in Postgres
- `processes/`: run a service, or a function in a limited child process

A folder imports the modules of this folder. `http/` also imports `tools/`; no other folder imports another.
"""

API_VERSION = "0.2.0"
"""The version of all parts. The header `X-API-Version`, MCP results and every pyproject.toml have the same."""
