"""The functions of Strudel: what each one does, written by hand, joined with what the engine really has.

- `descriptions/CATEGORY.toml`: the descriptions themselves
- `entry`: a description as a record
- `load`: read the files, once
- `catalogue`: find a function by any of its names
- `search`: find functions by what they do
- `name_families`: names that belong to another function by a rule
- `describe`: a function as the tool answers it
- `models`, `service`, `routes`: the tool get_function_info
"""
