"""A server of this machine that speaks OpenAI's interface for chats: well, badly, slowly, or not at all."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Server(ThreadingHTTPServer):
    """`manner` names how it behaves; `seen` has what it was sent, headers and body."""

    daemon_threads = True
    manner = "well"
    url = ""

    def handle_error(self, *_: Any) -> None:
        """A client that hangs up is expected."""


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Any

    def do_POST(self) -> None:
        """See `Server`."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, dict(self.headers), body))
        getattr(self, self.server.manner)(body["messages"])

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def send(self, data: bytes, status: int = 200, **headers: str) -> None:
        """Send a whole response."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def say(self, words: Any, **more: Any) -> None:
        """Send a response with these words."""
        message = {"role": "assistant", "content": words}
        self.send(
            json.dumps(
                {"choices": [{"message": message}], "usage": {"prompt_tokens": 90, "completion_tokens": 10}} | more
            ).encode()
        )

    def well(self, messages: list[dict[str, str]]) -> None:
        """The last legal action."""
        self.say(f"I choose {messages[1]['content'].split()[-1]}.")

    def brief(self, messages: list[dict[str, str]]) -> None:
        """The same, with the name of the model, and of the tokens their sum alone."""
        self.say(messages[1]["content"].split()[-1], usage={"total_tokens": 7}, model="m-2026\n")

    def lost(self, messages: list[dict[str, str]]) -> None:
        """Illegal, then unreadable, then right."""
        place = len(messages) // 2 - 1
        self.say(["[moon:self]", "no idea", messages[1]["content"].split()[-1]][min(place, 2)])

    def never(self, messages: list[dict[str, str]]) -> None:
        """Nothing in brackets."""
        self.say("")

    def busy(self, messages: list[dict[str, str]]) -> None:
        """Every other request is turned away."""
        self.send(b"{}", 429) if len(self.server.seen) % 2 else self.well(messages)

    def denied(self, messages: list[dict[str, str]]) -> None:
        """No."""
        self.send(b'{"error": "key secret-key is wrong"}', 401)

    def moved(self, messages: list[dict[str, str]]) -> None:
        """Elsewhere."""
        self.send(b"", 307, Location=self.server.url + "/elsewhere")

    def torn(self, messages: list[dict[str, str]]) -> None:
        """No JSON."""
        self.send(b'{"choices": [')

    def other(self, messages: list[dict[str, str]]) -> None:
        """JSON of another form."""
        self.send(b'{"choices": [{"message": {"content": ["[2C]"]}}], "usage": null}')

    def huge(self, messages: list[dict[str, str]]) -> None:
        """More than anybody reads."""
        self.say("x" * (1 << 21))

    def slow(self, messages: list[dict[str, str]]) -> None:
        """A byte at a time, so that no single read takes long."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" ")
            time.sleep(0.03)

    def silent(self, messages: list[dict[str, str]]) -> None:
        """Hang up."""


@contextmanager
def serving(manner: str) -> Iterator[Server]:
    """A server that behaves in a manner, on a port of its own."""
    with Server(("127.0.0.1", 0), Handler) as server:
        server.manner, server.seen = manner, []  # type: ignore[attr-defined]  # of this server alone
        server.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
