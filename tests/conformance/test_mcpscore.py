"""Audit the gateway with mcpscore, in both protocol eras. Only rules that do not fit a local studio may fail."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.servers.studio import Studio

NOT_FOR_US = {
    "security_tls_enabled": "the studio listens on loopback",
    "auth_protected_resource_metadata": "one token, kept on this machine; no OAuth",
    "capability_tools_list_changed": "the tool list never changes while the gateway runs",
    "capability_prompts_list_changed": "the list of prompts never changes while the gateway runs",
    "capability_resources_list_changed": "over HTTP there is no session to which a change could be announced",
    "protocol_version_supported_versions_include_negotiated": "the list is for `_meta`, where the version of a "
    "handshake is rejected",
    "server_websiteurl_present": "there is no website",
    "server_icons_present": "each `_meta` has the server's description, so an icon would be sent with every result",
}
"""The rules that may fail, and the reason."""


def test_mcpscore(studio: Studio) -> None:
    mcpscore = shutil.which("mcpscore", path=str(Path(sys.executable).parent))
    assert mcpscore is not None
    done = subprocess.run(
        [mcpscore, "--no-config", "--json", "--smoke", f"{studio.url}/mcp"],
        env={**studio.environment, "MCPSCORE_TOKEN": studio.token},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["authenticated"] and not report["partial"] and report["spec"]["era"] == "dual-era"
    failed = {rule["rule_id"]: rule["message"] for rule in report["results"] if not rule["passed"]}
    assert failed.keys() == NOT_FOR_US.keys(), failed
    assert report["smoke"]["summary"]["failed"] == 0
