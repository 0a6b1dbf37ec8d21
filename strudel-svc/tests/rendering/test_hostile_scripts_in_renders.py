"""Scripts that attack the renderer: each one fails and reaches nothing outside, and the next render works."""

import socket
import threading
from collections.abc import Iterator

import pytest

from consort_strudel.rendering.renderer import RenderRefused
from tests.support.strudel_rendering import RenderRig

KILLED = {
    "endless loop": "while (true) {}\ns('bd')",
    "endless microtasks": "const again = () => Promise.resolve().then(again); again();"
    "await new Promise(() => {}); s('bd')",
    "endless loop while asked for events": "s('bd').fmap(() => { while (true) {} })",
    "memory": "const kept = []; while (true) kept.push(new Uint8Array(2e7).fill(1)); s('bd')",
    "too many events": "s('bd').fast(1000000)",
}
REFUSED = {
    "waiting for ever": "await new Promise(() => {}); s('bd')",
    "deep recursion": "const deeper = () => deeper() + 1; deeper(); s('bd')",
    "leaving the page": "location.href = 'http://localhost/elsewhere'; await new Promise(() => {}); s('bd')",
    "endless loop in a worklet": "const c = new OfflineAudioContext(1, 128, 44100);"
    "await c.audioWorklet.addModule('data:text/javascript,while(true){}'); s('bd')",
    "reading a file": "await fetch('file:///etc/passwd'); s('bd')",
    "answers that are numbers": "Object.prototype.toJSON = () => 5; s('bd')",
    "answers without a result": "Object.prototype.toJSON = () => ({ok: true}); s('bd')",
    "answers without fields": "Object.prototype.toJSON = () => ({ok: true, result: {seconds: 1}}); s('bd')",
    "breaking the answers": "JSON.stringify = () => '{}'; Promise.prototype.then = undefined; s('bd')",
}


@pytest.mark.parametrize("name", [*KILLED, *REFUSED])
def test_the_script_ends_and_the_next_render_works(rig: RenderRig, name: str) -> None:
    with pytest.raises(RenderRefused):
        rig.render({**KILLED, **REFUSED}[name], cycles=1)
    assert rig.render('s("sbd*4")', cycles=1).events == 4


def test_timers_of_a_script_never_fire(rig: RenderRig) -> None:
    loop = "() => { for (;;); }"
    timers = f"setTimeout({loop}); setInterval({loop}, 1); requestAnimationFrame({loop})"
    assert rig.render(f'{timers}\ns("sbd*2")', cycles=4).events == 8


def test_a_loop_that_begins_while_the_sound_is_made_is_ended(rig: RenderRig) -> None:
    """The code of the script runs again when messages arrive, after its events are known."""
    later = "const {port1, port2} = new MessageChannel(); let count = 0; port2.postMessage(0);"
    again = "port1.onmessage = () => { if (count++ > 20) for (;;); port2.postMessage(0); }"
    with pytest.raises(RenderRefused, match="endless loop"):
        rig.render(f"{later} {again}\ns('sbd*4')", cycles=60)
    assert rig.render('s("sbd*4")', cycles=1).events == 4


class Listener:
    """A server on this machine that counts who connects to it."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.connections = 0
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


WAYS_OUT = {
    "fetch": "await fetch('http://HOST/').catch(() => 0)",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', 'http://HOST/'); try { x.send() } catch {}",
    "WebSocket": "try { const w = new WebSocket('ws://HOST/');"
    "await new Promise((ok) => { w.onopen = w.onerror = ok }) } catch {}",
    "EventSource": "try { new EventSource('http://HOST/') } catch {}",
    "beacon": "navigator.sendBeacon('http://HOST/', 'x')",
    "image": "new Image().src = 'http://HOST/x.png'",
    "import": "await import('http://HOST/x.js').catch(() => 0)",
    "samples": "await samples('http://HOST/strudel.json')",
    "worker": "try { new Worker(URL.createObjectURL(new Blob(['fetch(\\'http://HOST/\\')']))) } catch {}",
    "frame": "const f = document.createElement('iframe'); f.src = 'http://HOST/'; document.body?.append(f)",
}


def test_no_connection_is_made_by_any_way(rig: RenderRig, listener: Listener) -> None:
    for way in WAYS_OUT.values():
        code = way.replace("HOST", f"127.0.0.1:{listener.port}")
        rig.render(f"{code}\ns('sbd')", cycles=0.25, tail=0.2)
    assert listener.connections == 0
    with socket.create_connection(("127.0.0.1", listener.port)):
        pass  # the listener does hear those who can reach it
    while listener.connections == 0:
        pass
