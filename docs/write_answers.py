"""Make the calls of the conversations in README.md and docs/toolsets/, and write the answers and pictures into them.

Run `python docs/write_answers.py` after a change of the tools. It starts a studio in a temporary folder.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `tests.support`

from tests.support.documented_conversations import PAGES, run_page, with_answers
from tests.support.servers.studio import Studio


def main() -> None:
    with tempfile.TemporaryDirectory() as data, Studio(Path(data)) as studio:

        def call(tool: str, arguments: dict[str, Any]) -> Any:
            return studio.call(tool, **arguments)

        for page in PAGES:
            made = run_page(page, call)
            page.write_text(with_answers(page, made), "utf-8")
            print(f"{page.name}: {len(made)} calls")


if __name__ == "__main__":
    main()
