"""The real Strudel engine, in worker processes.

    start_worker    limits memory and network, then becomes the Node worker (`strudel-svc/engine`)
    worker          one worker process: a request, an answer, both one line of JSON
    pool            as many workers as calls at once; a worker that dies or hangs is replaced
    facts           what the syntax tree of a script says
    evaluation      what a script plays
    engine          the calls: facts, events, names
    source_functions  what the sources of the packages say about each function

Each script runs in a fresh realm: a `vm` context without any object of the process, in which text cannot be compiled.
One further realm, in which no script runs, stays and parses all of them. A script has 1.8 s and 256 MB of heap; around
it the worker has 1 GB and, on Linux, an empty network namespace.

The engine is a separate program under the AGPL; this package only sends it requests.
"""

from consort_strudel.engine.engine import Engine, EngineNames
from consort_strudel.engine.evaluation import Evaluation, PlayedEvent
from consort_strudel.engine.facts import Argument, Comment, ScriptCall, ScriptFacts, ScriptString, Statement, TextError

__all__ = [
    "Argument",
    "Comment",
    "Engine",
    "EngineNames",
    "Evaluation",
    "PlayedEvent",
    "ScriptCall",
    "ScriptFacts",
    "ScriptString",
    "Statement",
    "TextError",
]
