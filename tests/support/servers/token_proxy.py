"""A proxy that adds the token, for the conformance suite, which cannot send one. It does not change other headers."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

_NOT_FORWARDED = ("connection", "transfer-encoding", "authorization")


@contextmanager
def token_proxy(url: str, token: str) -> Iterator[str]:
    """Run a proxy for the server at `url` and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(urlsplit(url).netloc, token))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(upstream: str, token: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            connection = http.client.HTTPConnection(upstream, timeout=30)
            with closing(connection), suppress(OSError):  # the suite hangs up on streams
                self._send_back(self._forward(connection))

        do_GET = do_DELETE = do_POST

        def _forward(self, connection: http.client.HTTPConnection) -> http.client.HTTPResponse:
            connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in _NOT_FORWARDED:
                    connection.putheader(name, value)
            connection.putheader("Authorization", f"Bearer {token}")
            connection.endheaders(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            return connection.getresponse()

        def _send_back(self, answer: http.client.HTTPResponse) -> None:
            """Send the answer in chunks: Node's client fails if the connection closes before it has read all."""
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in (*_NOT_FORWARDED, "content-length"):
                    self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            while part := answer.read1():
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
