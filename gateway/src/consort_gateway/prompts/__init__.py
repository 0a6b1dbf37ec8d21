"""The jobs that a user can start by name: MCP prompts, made from the guides (`consort_gateway.guides`).

Modules, in reading order:
    jobs     a table with one entry for each prompt: its guide, its arguments and what they say
    prompts  lists the prompts, writes one out and completes its arguments
"""
