"""The guides: `skills/NAME/SKILL.md` in the Agent Skills format, a short front matter and text for an assistant.

They are in the repository's folder `skills`. An image of the gateway has them inside this package.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Skill:
    name: str
    description: str
    body: str


def skills_folder() -> Path:
    inside = PACKAGE / "skills"
    return inside if inside.is_dir() else PACKAGE.parents[2] / "skills"


@cache
def load_skills() -> dict[str, Skill]:
    """Return all guides by name. Raise RuntimeError if there are none, or if one has no name or description."""
    skills = [read_skill(path) for path in sorted(skills_folder().glob("*/SKILL.md"))]
    if not skills:
        raise RuntimeError(f"There are no guides in {skills_folder()}.")
    return {skill.name: skill for skill in skills}


def read_skill(path: Path) -> Skill:
    """Read a guide. Its front matter has one `name: value` per line."""
    parts = path.read_text(encoding="utf-8").split("---\n", 2)
    front = parts[1] if len(parts) == 3 and not parts[0] else ""
    fields = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
    if not {"name", "description"} <= fields.keys():
        raise RuntimeError(f"{path} must start with --- and have a name and a description.")
    return Skill(fields["name"], fields["description"].strip('"'), parts[2].strip() + "\n")
