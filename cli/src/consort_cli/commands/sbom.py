"""`consort sbom`: write which packages Consort is made of (CycloneDX 1.6), or look for their known vulnerabilities."""

import argparse
import json
import sys
import uuid
from pathlib import Path
from typing import Any

from consort_cli.locked_packages import LockedPackage, locked_packages
from consort_cli.vulnerabilities import OSV, DatabaseNotReached, known_vulnerabilities
from consort_kit import API_VERSION

NOT_REACHED = 2
"""Exit code if no database could be asked, so nothing is known."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the file to write (default: print it)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="instead, send the names and versions to a database of vulnerabilities; exit code 1 if one is known, "
        f"{NOT_REACHED} if the database cannot be reached",
    )
    parser.add_argument("--database", default=OSV, metavar="URL", help=f"an OSV database (default: {OSV})")


def run(args: argparse.Namespace) -> int:
    packages = locked_packages()
    if args.check:
        return _check(packages, args.database.rstrip("/"))
    text = json.dumps(bill_of_materials(packages), indent=2) + "\n"
    if args.file is None:
        print(text, end="")
    else:
        args.file.write_text(text)
        print(f"{args.file}: {len(packages)} packages")
    return 0


def _check(packages: list[LockedPackage], database: str) -> int:
    try:
        found = known_vulnerabilities(packages, database)
    except DatabaseNotReached as error:
        print(f"consort sbom: Not checked. {error}", file=sys.stderr)
        return NOT_REACHED
    for each in found:
        print(f"{each.package.name} {each.package.version} ({each.package.lock}): {each.id} {each.summary}")
    print(f"{len(packages)} packages checked with {database}: {len(found)} known vulnerabilities")
    return 1 if found else 0


def bill_of_materials(packages: list[LockedPackage]) -> dict[str, Any]:
    """Return the CycloneDX document. The same locks give the same document."""
    names = "\n".join(package.purl for package in packages)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'consort {API_VERSION} {names}')}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "consort",
                "name": "consort",
                "version": API_VERSION,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [_component(package) for package in packages],
    }


def _component(package: LockedPackage) -> dict[str, Any]:
    hashes = [{"alg": algorithm, "content": checksum} for algorithm, checksum in package.hashes]
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "properties": [{"name": "consort:lock", "value": package.lock}],
    }
    if package.licence:
        component["licenses"] = [{"license": {"name": package.licence}}]
    if package.kind == "npm":
        component["hashes"] = hashes
    else:  # one of several files is installed, depending on the system
        url = f"https://pypi.org/project/{package.name}/{package.version}/"
        component["externalReferences"] = [{"type": "distribution", "url": url, "hashes": hashes}]
    return component
