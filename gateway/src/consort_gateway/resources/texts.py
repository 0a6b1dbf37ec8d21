"""The text forms of resources. They get the value of the address's variable and the answers of the sources."""

import json
from typing import Any

from consort_gateway.guides import load_skills
from consort_kit.errors import NotFound

Json = dict[str, Any]


def as_json(_: str, answer: Json) -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def as_text(_: str, answer: str) -> str:
    return answer


def song(song_id: str, info: Json, notes: Json) -> str:
    about = {name: value for name, value in info.items() if name not in ("title", "can_undo", "can_redo")}
    lines = [info["title"], as_json(song_id, about), "", "Notes by track, as add_notes takes them:"]
    lines += [f"{track}: {text}" for track, text in notes["notes"].items()]
    return "\n".join(lines + _more(notes, "get_notes"))


def midi(_: str, notes: Json) -> str:
    return "\n".join([notes["text"].rstrip("\n"), *_more(notes, "read_midi_notes")])


def _more(notes: Json, tool: str) -> list[str]:
    """Return a line that says where the rest is, if these are not all notes."""
    at = notes.get("next_cursor")
    return [] if at is None else [f"({at} of {notes['note_count']} notes. {tool} with cursor {at} reads the rest.)"]


def script(_: str, project: Json) -> str:
    return str(project["script"])


def clip(_: str, found: Json) -> str:
    tags = [value for each in found["tags"].values() for value in (each if isinstance(each, list) else [each])]
    comments = [found["name"], found.get("description"), ", ".join(tags)]
    return "\n".join([*(f"// {line}" for line in comments if line), found["code"]])


def clips(_: str, found: Json) -> str:
    return "\n".join(
        f"consort://strudel/clip/{each['id']} {each['name']}: {each.get('description') or ''}".rstrip()
        for each in found["clips"]
    )


def vocabulary(category: str, found: Json) -> str:
    words = [f"{each['concept']}: {each['description']} `{each['strudel_code']}`" for each in found["matches"]]
    return "\n".join(words) or f"The vocabulary has no words of {category} yet."


def function(name: str, found: Json) -> str:
    if not found.get("name"):  # not the name of a function: the answer has functions that do something similar
        near = [match["usage"] for match in found.get("matches") or []]
        raise NotFound(f"There is no Strudel function {name[:80]!r}.", field="name", suggestions=near)
    return as_json(name, found)


def concept(word: str, found: Json) -> str:
    for each in found["matches"]:
        if each["concept"].lower() == word.lower():
            return as_json(word, each)
    near = [each["concept"] for each in found["matches"]]
    raise NotFound(f"The vocabulary has no word {word[:80]!r}.", field="concept", suggestions=near)


def skill(name: str) -> str:
    return load_skills()[name].body
