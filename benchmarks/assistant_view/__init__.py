"""What an assistant sees of the studio: whether it finds the right tool, and whether ids lead from tool to tool.

- `user_sentences`: what users say, each with the tools that are right
- `id_flow`: which tools return and take each kind of id
"""
