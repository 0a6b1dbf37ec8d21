"""The `consort` command.

- `main`: find the command's module in `commands` and run it.
- `commands`: one module per command.
- `launcher`: start, watch and stop the processes of a studio.
- `bootstrap`: install the studio into `.venv`; run by a bare Python before anything is installed.
- `bundle`: the file that desktop assistants install.
- `demo`: the pieces of `consort demo`.
- `assistant_skills`: put the guides into an assistant's folder of skills.
- `scripted_calls`: written calls of tools that use ids of earlier answers.
- `tool_reference`: the documentation of the tools, for `consort specs`.
- `link_client`, `mcp_client`: call the gateway with signed links, and over MCP.
- `gateway_connection`: connections on which the gateway has proved that it knows the token.
- `log_lines`: read, follow and format the logs.
- `json_edit`: change one value of a JSON file and keep the rest of its text.
- `file_lock`: a lock that is released when its process ends.
- `sound`: find out whether music can be heard on this machine.
- `downloads`: install models, Strudel's engine and the score library. Each has its own module.
- `system_packages`: install libraries that come from the operating system.
"""
