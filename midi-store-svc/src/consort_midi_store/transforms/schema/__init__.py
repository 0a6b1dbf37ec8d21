"""The JSON input of transform_midi.

- `operation_inputs`: a pydantic model for each operation, which checks and parses it
- `flat_schema`: makes one flat JSON schema for all operations, and errors that list the fields of an operation
"""
