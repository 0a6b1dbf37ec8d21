from pydantic import Field

from consort_kit.settings import Settings


class GatewaySettings(Settings):
    toolsets: str | None = Field(
        None, description="Only these toolsets, with commas between: midi,songs. Default: all."
    )
    read_only: bool = Field(False, description="Only tools that change nothing, from all chosen toolsets.")
    tool_search: bool = Field(
        False, description="List only a search tool and a call tool, to save an assistant's tokens."
    )
    allowed_hosts: str = Field("", description="More host names of the gateway, with commas between.")
    start_wait_s: float = Field(60.0, description="How long a call waits for a service that is starting, in seconds.")
