"""The baseline of `consort bench playback`: an HTTP service that plays by `mido.play`, in a thread of its own.

This is how a MIDI service is written plainly. It knows two routes of the agent's, checks nothing and has every
advantage. Run as `mido_service.py PORT`.
"""

import base64
import io
import sys
import threading
from typing import Any

import mido
import rtmidi
import uvicorn
from fastapi import FastAPI

app = FastAPI()
state = "waiting"


def play(content: bytes, port: str) -> None:
    global state
    out = rtmidi.MidiOut(rtmidi.API_UNIX_JACK, name="mido")
    out.open_port(out.get_ports().index(port))
    for message in mido.MidiFile(file=io.BytesIO(content)).play():
        out.send_message(message.bytes())
    state = "finished"
    out.close_port()
    out.delete()


@app.post("/tools/playback_midi")
def playback_midi(body: dict[str, Any]) -> dict[str, Any]:
    global state
    state = "playing"
    threading.Thread(target=play, args=(base64.b64decode(body["base64"]), body["port_name"])).start()
    return {"playback_id": "play_it"}


@app.post("/tools/get_playback")
def get_playback() -> dict[str, Any]:
    return {"playbacks": [{"playback_id": "play_it", "state": state}]}


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
