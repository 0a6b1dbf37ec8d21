"""What an assistant sees of the studio: does it find the right tool, do ids lead on, do errors say what is right?

- `user_sentences`: what users say, each with the tools that are right
- `id_flow`: which tools return and take each kind of id
- `broken_arguments`: what each tool says when one argument is wrong
"""
