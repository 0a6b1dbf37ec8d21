"""Every parameter, default and output field that the specification of the Strudel tools names is in ours.

Changes that were decided later: every error has one shape, so `success` is always true in an answer; a tempo is a
number; `embedding` and the like are only sent on request.
"""

from functools import partial

import pytest

from tests.support.documented_tools import DocumentedTool

StrudelTool = partial(DocumentedTool, service="strudel")


def below(parent: str, *names: str) -> list[str]:
    return [f"{parent}.{name}" for name in names]


METADATA = ("tempo", "key", "tags", "genre", "data")
PROJECT = ["name", "description", *METADATA, "created", "modified", "line_count"]
ERRORS = ["line", "column", "message", "suggestion", "code_context"]
WARNINGS = ["line", "message", "suggestion"]
DONE = ["success", "message"]

TAGS = ("genre", "feeling", "technique", "instrument", "complexity", "element")
QUERY = (
    *("name_pattern", "description_pattern", "code_pattern"),
    *("tempo_min", "tempo_max", "key", "requires_packs"),
)
CLIP_DATA = (
    *("name", "description", "code", "data", *below("tags", *TAGS)),
    *below("metadata", "tempo_range", "key", "requires_packs", "author"),
)
CLIP = ["id", "metadata.created", *CLIP_DATA]

TOOLS = {
    "get_song": StrudelTool(
        ["project_name"],
        [
            *("project_name", "script", "data"),
            *below("metadata", "tempo", "key", "tags", "genre", "packs_used", "created", "modified", "line_count"),
        ],
    ),
    "update_song": StrudelTool(
        [
            *("project_name", "patch_instructions", "auto_validate"),
            *below("patch_instructions", "action", "line_number", "new_content", "pattern", "occurrence", "section"),
        ],
        [
            *("success", "validation.valid", "diff", "preview", "lines_changed"),
            *below("validation.errors", *ERRORS),
            *below("validation.warnings", *WARNINGS),
        ],
        {"auto_validate": True, "patch_instructions.occurrence": "first"},
        {
            "patch_instructions.action": {
                *("replace_line", "insert_after_line", "insert_before_line", "delete_line"),
                *("replace_pattern", "insert_after_pattern", "insert_before_pattern"),
                *("append", "prepend", "insert_after_section", "replace_section"),
            },
            "patch_instructions.occurrence": {"first", "last", "all"},
        },
    ),
    "validate_script": StrudelTool(
        ["script_content", "project_name"],
        ["valid", *below("errors", *ERRORS), *below("warnings", *WARNINGS)],
        optional=("project_name",),
    ),
    "list_projects": StrudelTool(
        [
            *("filters", "sort_by", "sort_order", "limit"),
            *below("filters", "tags", "genre", "name_pattern", "description_pattern", "tempo_min", "tempo_max"),
            *below("filters", "created_after", "created_before", "modified_after", "modified_before"),
        ],
        [*below("projects", *PROJECT), "total_count", "filtered_count"],
        {"sort_by": "modified", "sort_order": "desc", "limit": 50},
        {"sort_by": {"modified", "created", "name", "tempo"}, "sort_order": {"asc", "desc"}},
        optional=("filters",),
    ),
    "create_project": StrudelTool(
        ["name", "description", "metadata", "initial_script", *below("metadata", *METADATA)],
        ["success", "project_name", "message"],
        optional=("description", "metadata", "initial_script"),
    ),
    "get_project_metadata": StrudelTool(["project_name"], PROJECT),
    "update_project_metadata": StrudelTool(
        ["project_name", "metadata_updates", "merge_data", *below("metadata_updates", *METADATA)],
        DONE,
        {"merge_data": True},
    ),
    "delete_project": StrudelTool(["project_name", "confirm"], DONE, {"confirm": False}),
    "identify_pattern": StrudelTool(
        ["code_snippet", "top_k"],
        below("identified_patterns", "concept", "description", "similarity_score", "tags", "source", "source_id"),
        {"top_k": 5},
    ),
    "query_packs": StrudelTool(
        ["query", "limit", *below("query", "name_pattern", "tags", "type", "character", "licensed")],
        [
            *below("packs", "name", "github", "description", "tags", "categories", "license", "loading_syntax", "data"),
            "total_count",
        ],
        {"limit": 20},
    ),
    "query_vocab": StrudelTool(
        ["concept", "limit"],
        [
            *below("matches", "concept", "strudel_code", "description", "example", "category", "related_concepts"),
            "total_count",
        ],
        {"limit": 10},
    ),
    "get_function_info": StrudelTool(
        ["function_name"],
        [
            *("name", "description", "return_type", "examples", "related_functions", "category"),
            *below("parameters", "name", "type", "description", "default", "required"),
        ],
    ),
    "analyze_song_structure": StrudelTool(
        ["project_name", "script_content"],
        [
            *below("structure.setup", "lines", "content", "tempo", "packs"),
            *below("structure.voices", "id", "lines", "type", "instrument", "pattern", "effects"),
            *below("structure.sections", "name", "lines", "voices", "description"),
            *below("summary", "total_lines", "voice_count", "section_count", "complexity"),
        ],
        optional=("project_name", "script_content"),
    ),
    "search_clips": StrudelTool(
        ["query", "limit", *below("query", *TAGS, *QUERY)],
        [*below("clips", *CLIP, "relevance_score"), "total_count"],
        {"limit": 20},
    ),
    "get_clip": StrudelTool(["clip_id"], [*CLIP, "embedding"]),
    "save_clip": StrudelTool(
        ["clip_data", "auto_generate_tags", *below("clip_data", *CLIP_DATA)],
        ["success", "clip_id", "message", *below("suggested_tags", *TAGS)],
        {"auto_generate_tags": False},
    ),
    "update_clip": StrudelTool(["clip_id", "updates", "merge_data"], DONE, {"merge_data": True}),
    "delete_clip": StrudelTool(["clip_id", "confirm"], DONE, {"confirm": False}),
    "find_similar_clips": StrudelTool(
        ["code_snippet", "top_k", "filters"],
        below("similar_clips", "clip_id", "name", "code", "similarity_score", "description", *below("tags", *TAGS)),
        {"top_k": 10},
        optional=("filters",),
    ),
}

each_tool = pytest.mark.parametrize("name", TOOLS)


@each_tool
def test_every_parameter_and_default_of_the_document(name: str) -> None:
    assert TOOLS[name].missing_parameters(name) == []


@each_tool
def test_every_output_field_of_the_document(name: str) -> None:
    assert TOOLS[name].missing_fields(name) == []
