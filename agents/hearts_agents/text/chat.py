"""`llm(model=..., url=...)`: a language model behind an address that speaks OpenAI's interface for chats."""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
from contextlib import closing, suppress
from threading import Timer
from time import monotonic, sleep
from urllib.parse import urlsplit

from hearts_agents.base import COST
from hearts_agents.engines.messages import printable
from hearts_agents.engines.process import FaultError, check_time
from hearts_agents.text.talk import TalkAgent, Turn

KEY = "HEARTS_LLM_KEY"
"""The environment variable with the key, as ``HOST=KEY``; no other host gets it."""
LOCAL = ("localhost", "127.0.0.1", "::1")
MOST_BYTES = 1 << 20
"""The longest response."""
MOST_TOKENS = 10**12
"""The largest number of tokens that a response may name."""
AGAIN = (408, 409, 425, 429, 500, 502, 503, 504)
"""The statuses after which a request is repeated."""
PAUSE = 0.5
"""Seconds before the first repetition; each further one waits twice as long."""
MOST_PRICE = 10**6
"""The highest price of a million tokens."""


class ChatAgent(TalkAgent):
    """A language model. Every request holds the whole question, and no redirect is followed.

    Its `faults` are, besides those of answers: ``late`` (no response in time), ``unreachable``, ``refused`` (a status
    that says so), ``nonsense`` (a response of another form) and ``budget`` (all tokens are spent).

    Attributes:
        called: the name of the model in the responses, printable and cut after 60 characters; it may be more exact than
            the name by which it was requested.
    """

    def __init__(  # noqa: PLR0913 - as in a spec string, all named
        self,
        model: str,
        url: str,
        *,
        time_ms: int = 60000,
        retries: int = 2,
        max_tokens: int = 1024,
        budget: int = 0,
        input_price: float = 0.0,
        output_price: float = 0.0,
        temperature: float = 0.0,
        rules: str = "full",
        tries: int = 3,
        log: str = "",
    ) -> None:
        """Check the address and the options; no question is asked before the first decision.

        Args:
            model: the name by which the server knows it.
            url: the address of the server, such as http://localhost:8000/v1.
            time_ms: time limit of a response, in milliseconds.
            retries: how often a request that failed is repeated.
            max_tokens: the most tokens of an answer.
            budget: tokens after which no question is asked any more; 0 for no limit.
            input_price: what a million tokens of questions cost.
            output_price: what a million tokens of answers cost.
            temperature: of sampling.
            rules: the page of rules it gets, full or short.
            tries: further questions after a refused answer.
            log: a file to which every answer is added as a line of JSON; empty for none.

        Raises:
            ValueError: no address of a server, or an option that is out of range.
        """
        super().__init__(f"llm(model={model}, url={url})", rules, tries, log)
        check_time("llm", "time_ms", time_ms)
        limits = {"retries": (retries, 0, 20), "max_tokens": (max_tokens, 1, 10**6), "budget": (budget, 0, 10**12)}
        for option, (value, low, high) in limits.items():
            if not low <= value <= high:
                raise ValueError(f"llm: {option}={value} is not possible; it is from {low} to {high}")
        for option, price in (("input_price", input_price), ("output_price", output_price)):
            if not 0 <= price <= MOST_PRICE:
                raise ValueError(f"llm: {option}={price} is not possible; it is from 0 to {MOST_PRICE:,}")
        self._server, self._path = _address(url)
        self._time_ms, self._retries, self._budget = time_ms, retries, budget
        self._prices = input_price, output_price
        self._options = {"model": model, "max_tokens": max_tokens, "temperature": temperature}

    def ask(self, rules: str, turns: list[Turn]) -> str:
        """The model's answer, after as many repetitions as are allowed."""
        if self._budget and self.usage["tokens"] >= self._budget:
            raise FaultError("budget")
        messages = [{"role": role, "content": text} for role, text in (("system", rules), *turns)]
        body = json.dumps(self._options | {"messages": messages}).encode()
        for repetition in range(self._retries + 1):
            if repetition:
                self.usage["repeated"] += 1
                sleep(PAUSE * 2 ** (repetition - 1))
            try:
                return self._answer(body)
            except FaultError as fault:
                if fault.deadly or repetition == self._retries:
                    raise
        raise AssertionError

    def _answer(self, body: bytes) -> str:
        status, data = self._request(body)
        if status != 200:
            raise FaultError("refused", deadly=status not in AGAIN)
        try:
            response = json.loads(data)
            answer, usage = response["choices"][0]["message"]["content"], response.get("usage") or {}
            asked = usage.get("prompt_tokens", len(body) // 4)  # a guess where none are reported
            answered = usage.get("completion_tokens", len(data) // 4)
            tokens = usage.get("total_tokens", asked + answered)
            counts = (asked, answered, tokens)
            possible = all(type(count) is int and 0 <= count <= MOST_TOKENS for count in counts)
            if not isinstance(answer, str | None) or not possible:
                raise TypeError
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise FaultError("nonsense") from None
        self.usage["tokens"] += tokens
        if any(self._prices):
            self.usage[COST] += round(asked * self._prices[0] + answered * self._prices[1])
        self.called = printable(response.get("model"), 60) or self.called
        return answer or ""

    def _request(self, body: bytes) -> tuple[int, bytes]:
        """The status and the body of the response; a timer closes a connection that is too slow."""
        scheme, host, port = self._server
        end, seconds = monotonic() + self._time_ms / 1000, self._time_ms / 1000
        kinds = {"https": http.client.HTTPSConnection, "http": http.client.HTTPConnection}
        headers = {"Content-Type": "application/json", "Connection": "close"} | _authorization(scheme, host)
        try:
            with closing(kinds[scheme](host, port, timeout=seconds)) as connection:
                connection.connect()
                timer = Timer(max(end - monotonic(), 0.001), _shut, [connection.sock])
                timer.start()
                try:
                    connection.request("POST", self._path, body, headers)
                    response = connection.getresponse()
                    data = response.read(MOST_BYTES + 1)
                finally:
                    timer.cancel()
        except (OSError, http.client.HTTPException, ValueError):
            raise FaultError("late" if monotonic() >= end else "unreachable") from None
        if monotonic() >= end:
            raise FaultError("late")
        if len(data) > MOST_BYTES:
            raise FaultError("nonsense")
        return response.status, data


def _shut(sock: socket.socket | ssl.SSLSocket | None) -> None:
    with suppress(OSError):
        if sock is not None:
            sock.shutdown(socket.SHUT_RDWR)


def _address(url: str) -> tuple[tuple[str, str, int | None], str]:
    """Scheme, host and port of a server, and the path of its chats. Raises ValueError for no such address."""
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        scheme, host, port = "", None, None
    if scheme not in ("http", "https") or not host or parts.username or parts.query or not url.isascii() or " " in url:
        raise ValueError("llm: url is the address of a server, such as http://localhost:8000/v1, without a key in it")
    return (scheme, host, port), f"{parts.path.rstrip('/')}/chat/completions"


def _authorization(scheme: str, host: str) -> dict[str, str]:
    """The header with the key, for the one host it is for, and never in the open but to this machine."""
    bound, _, key = os.environ.get(KEY, "").partition("=")
    usable = key and bound.strip().lower() == host.lower() and (scheme == "https" or host in LOCAL)
    return {"Authorization": f"Bearer {key.strip()}"} if usable else {}
