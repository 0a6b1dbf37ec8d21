"""The tools of the studio: one JSON file for each service, written by `consort specs`.

- `catalogue`: reads the files
- `tool_search`: two tools that find and call all others
- `openapi_tools`: makes the files; only `consort specs` uses it
"""
