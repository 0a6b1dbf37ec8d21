"""Settings of all processes, read from environment variables with the prefix `CONSORT_`.

None is required: the defaults are for a studio of one user on this machine.
"""

from functools import cached_property
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from consort_kit.data_folder import default_data_folder, read_or_make_secret
from consort_kit.services import DEFAULT_PORT_BASE, GATEWAY, SERVICES

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="CONSORT_", extra="ignore")

    data: Path = Field(default_factory=default_data_folder, description="Folder for everything that is kept.")
    host: str = Field("127.0.0.1", description="Address to listen on, or several with commas between.")
    port: int | None = Field(None, description="Port to listen on; by default the port base plus the part's offset.")
    port_base: int = Field(DEFAULT_PORT_BASE, description="The gateway's port; the other parts follow it.")
    service_urls: dict[str, str] = Field(
        default_factory=dict,
        description='Where services are, if not here: JSON, {"midi-store": "http://…"}; {port} is the usual port.',
    )
    public_url: str | None = Field(
        None,
        pattern=r"^(https?://.+)?$",
        description="Address of the gateway as a browser sees it; links begin with it.",
    )
    token: str | None = Field(
        None,
        description="Bearer token of services and gateway, at least 16 characters; by default the data folder's.",
    )
    database_url: str | None = Field(None, description="A Postgres with pgvector; by default an embedded one is run.")
    blob_url: str | None = Field(None, description="Where bytes are kept: a folder or s3://bucket/prefix.")
    max_body_bytes: int = Field(16 * 1024 * 1024, description="Largest HTTP request body.")
    heavy_at_once: int = Field(3, ge=1, description="Heavy operations that one service runs at once; others wait.")
    timeout_s: float = Field(60.0, gt=0, description="Longest time for one operation, in seconds.")
    in_container: bool = Field(False, description="Set in our images: paths in answers are the container's own.")
    log_level: LogLevel = Field("INFO", description="DEBUG, INFO, WARNING or ERROR.")

    def url_of(self, service: str) -> str:
        url = self.service_urls.get(service, "http://127.0.0.1:{port}")
        return url.replace("{port}", str(self.port_base + SERVICES[service].port_offset)).rstrip("/")

    @property
    def gateway_url(self) -> str:
        return (self.public_url or f"http://127.0.0.1:{self.port_base + GATEWAY.port_offset}").rstrip("/")

    @cached_property
    def bearer_token(self) -> str:
        """The setting `token`, or else the token in the data folder, which is made on first use."""
        return self.token or read_or_make_secret(self.data / "token")


def port_of(url: str) -> int:
    """Return the port of an address, or the usual one of its scheme."""
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)
