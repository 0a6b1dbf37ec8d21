"""The baseline of `consort bench playback`: an HTTP service that plays with `mido.play` in a thread.

This is the simplest way to write such a service. It has three of the agent's routes. It validates nothing, which makes
it faster. Run it as `mido_service.py PORT`.
"""

import base64
import io
import itertools
import sys
import threading
from functools import cache
from typing import Any

import mido
import rtmidi
import uvicorn
from fastapi import FastAPI

app = FastAPI()
states: dict[str, str] = {}
ids = map(str, itertools.count())


@cache
def opened(port: str) -> Any:
    out = rtmidi.MidiOut(rtmidi.API_UNIX_JACK, name="mido")
    out.open_port(out.get_ports().index(port))
    return out


def play(playback_id: str, file: mido.MidiFile, port: str) -> None:
    out = opened(port)
    for message in file.play():
        if states[playback_id] == "stopped":
            return
        out.send_message(message.bytes())
    states[playback_id] = "finished"


@app.post("/tools/playback_midi")
def playback_midi(body: dict[str, Any]) -> dict[str, Any]:
    file = mido.MidiFile(file=io.BytesIO(base64.b64decode(body["base64"])))
    playback_id = next(ids)
    states[playback_id] = "playing"
    threading.Thread(target=play, args=(playback_id, file, body["port_name"])).start()
    return {"playback_id": playback_id}


@app.post("/tools/stop_playback")
def stop_playback(body: dict[str, Any]) -> None:
    states[body["playback_id"]] = "stopped"


@app.post("/tools/get_playback")
def get_playback(body: dict[str, Any]) -> dict[str, Any]:
    return {"playbacks": [{"state": states[body["playback_id"]]}]}


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
