"""Declare the tools of a service and check their input.

- `tool_decorator`: `@tool` turns a function into a route
- `service_limits`: the time limit of a call, and how many heavy calls run at the same time
- `models`: base classes of a tool's input and output
- `chosen_music`: fields that several tools share: tracks, bars, title, size of a picture
- `strict_json`: reads the body of a call
- `validation`: turns Pydantic's errors into messages that say what to change
- `visible_fields`: removes invisible characters from texts
- `answer_headers`: headers of answers
- `answer_summary`: the beginning of an answer that is too large
- `client_ids`: the id of the calling client
- `cursor`: pages of a list
- `base64_text`: bytes in a JSON field
"""
