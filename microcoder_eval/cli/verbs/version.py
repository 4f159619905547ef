"""``--version``: prints what a bug report needs."""

from __future__ import annotations

import json
from typing import Any

from microcoder_eval import about


def run(args: Any) -> int:
    """Print the version and facts about the machine; return 0 even if facts are missing."""
    from microcoder_eval.console.streams import tolerate_closed_stdout

    facts = about.collect_facts()
    with tolerate_closed_stdout():
        if args.json:
            print(json.dumps(facts))
        else:
            print("\n".join([f"microcoder-eval {facts['version']}", *about.format_facts(facts)]))
    return 0
