"""Queries a maycrawl service: may this crawler fetch these URLs?

    python3 maycrawl_client.py SERVICE AGENT URL...         (or - for a list on standard input)

One URL is sent with GET, several with one POST; a list is sent as lines of JSON, with one line of the response for each.
MAYCRAWL_TOKEN is the bearer token, if the service requires one. Exit code: 0 all allowed, 1 any disallowed, 2 any without an answer.
"""
import collections
import json
import math
import os
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Deque, Dict, Iterable, Iterator, List, Literal, Optional, TypedDict
from urllib.parse import urlencode, urlsplit

__all__ = ["Answer", "Client", "MaycrawlError", "ServiceError", "UnavailableError", "is_allowed", "is_temporary"]

_JSON, _LINES = "application/json", "application/x-ndjson"
_MAX_RESPONSE = 256 * 1024 * 1024  # bytes of one JSON document
_MAX_LINE = 1024 * 1024  # bytes of one line of a response
_MAX_PROBLEM = 64 * 1024  # bytes of a problem document
_MAX_PENDING = 1_000  # lines that are sent and have no answer yet


class Answer(TypedDict, total=False):
    """The response, as in /openapi.json. If `allowed` is None, only `url`, `agent` and `error` are set."""
    url: Optional[str]
    agent: Optional[str]  # as the service resolved it
    profile: str
    allowed: Optional[bool]
    line: int  # of the deciding rule, from 1; 0 if there is none
    rule: Optional[str]
    kind: Optional[Literal["allow", "disallow"]]
    group: Literal["own", "global", "none"]
    reason: str
    policy: Dict[Literal["kind", "reason"], str]  # kind: "rules", "allow-all", "disallow-all", "unknown"
    code: str
    message: str
    fetchedAt: Optional[str]
    expiresAt: str
    error: Dict[Literal["code", "message"], str]


class MaycrawlError(Exception):
    """There is no answer. Treat it as "disallowed"."""


class ServiceError(MaycrawlError):
    """The service refused the request. `code` is stable, `detail` is for people."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}" if code else detail)
        self.status = status
        self.code = code
        self.detail = detail


class UnavailableError(MaycrawlError):
    """The service cannot be reached, is too busy, or its response is incomplete. The request may succeed later."""


def is_allowed(answer: Answer) -> bool:
    """Returns whether the crawler may fetch the URL. Without a verdict it may not."""
    return answer.get("allowed") is True


def is_temporary(answer: Answer) -> bool:
    """Returns whether the URL is disallowed only because its robots.txt is unreachable, which may change at `expiresAt`."""
    policy = answer.get("policy") or {}
    return answer.get("allowed") is False and policy.get("kind") == "disallow-all" and policy.get("reason") == "unreachable"


class Client:
    """A client of one service. Threads can share it: each request has its own connection.

    `timeout` is the number of seconds that one read or write may take. After 429 and 503 the client waits as long as `Retry-After` says, and
    tries again, up to `tries` times in all. It does not wait longer than `max_wait` seconds, but raises UnavailableError.
    """

    def __init__(
        self, service: str, token: Optional[str] = None, *, timeout: float = 90, tries: int = 4, max_wait: float = 60
    ) -> None:
        parts = urlsplit(service)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"the service is not an http or https URL: {service!r}")
        if parts.query or parts.fragment or parts.username is not None:
            raise ValueError("the URL of the service has no user, query or fragment")
        if not timeout > 0 or not tries >= 1 or not max_wait >= 0:
            raise ValueError("timeout must be positive, tries at least 1, and max_wait not negative")
        if token and not (token.isascii() and token.isprintable()):
            raise ValueError("the token has characters that a header cannot have")
        self._create = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port = parts.hostname, parts.port
        self._path = parts.path.rstrip("/") + "/v1/decide"
        self._token, self._timeout, self._tries, self._max_wait = token, timeout, tries, max_wait

    def decide(self, url: str, agent: str) -> Answer:
        """Decides about one URL. Raises MaycrawlError if there is no answer."""
        return _check(self._request_json("?" + urlencode({"url": url, "agent": agent})), url)

    def decide_all(self, urls: List[str], agent: str) -> List[Answer]:
        """Decides about a short list with one JSON request, which is repeated after 429 and 503. The service accepts 100,000 URLs at most."""
        document = self._request_json("", json.dumps({"agent": agent, "urls": urls}).encode())
        answers = document.get("decisions")
        if not isinstance(answers, list) or len(answers) != len(urls):
            raise UnavailableError("the response does not have an answer for each URL")
        return [_check(answer, url) for answer, url in zip(answers, urls)]

    def decide_many(self, urls: Iterable[str], agent: str) -> Iterator[Answer]:
        """Decides about any number of URLs. Yields an answer for each, in order, while the list is being sent.

        A thread reads `urls` and sends them; at most 1,000 URLs are waiting for an answer. An exception of `urls` is raised here. After 429 and
        503 the request is repeated only if `urls` can be read again, as a list can. A URL without a verdict is an answer with `allowed` None.
        """
        for attempt in range(1, self._tries + 1):
            sending = _Sending(self._open("POST", "?" + urlencode({"agent": agent}), _LINES), urls)
            try:
                with sending.get_response() as response:
                    if response.status == 200:
                        yield from sending.read_answers(response)
                        return
                    wait = self._get_wait(response, attempt == self._tries or iter(urls) is urls)
            except (OSError, HTTPException) as error:
                raise sending.error or _to_unavailable(error) from error
            finally:
                sending.close()
            time.sleep(wait)

    def _open(self, method: str, query: str, kind: str = _JSON) -> HTTPConnection:
        connection = self._create(self._host, self._port, timeout=self._timeout)
        try:
            connection.putrequest(method, self._path + query)
            if method == "POST":
                connection.putheader("content-type", kind)
                connection.putheader("transfer-encoding", "chunked")
            if self._token:
                connection.putheader("authorization", f"Bearer {self._token}")
            connection.endheaders()
        except (OSError, HTTPException) as error:
            connection.close()
            raise _to_unavailable(error) from error
        return connection

    def _request_json(self, query: str, body: Optional[bytes] = None) -> Dict[str, Any]:
        for attempt in range(1, self._tries + 1):
            connection = self._open("GET" if body is None else "POST", query)
            try:
                if body is not None:
                    _send_body(connection, body)
                with connection.getresponse() as response:
                    if response.status == 200:
                        return _parse(_read(response, _MAX_RESPONSE))
                    wait = self._get_wait(response, attempt == self._tries)
            except (OSError, HTTPException) as error:
                raise _to_unavailable(error) from error
            finally:
                connection.close()
            time.sleep(wait)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _get_wait(self, response: HTTPResponse, is_last: bool) -> float:
        """Returns the seconds until the next attempt. Raises the error of the response if there is none."""
        status = response.status
        problem: Dict[str, Any] = {}
        if response.headers.get_content_type() == "application/problem+json":
            problem = _parse(_read(response, _MAX_PROBLEM))
        error = ServiceError(status, str(problem.get("code", "")), str(problem.get("detail", f"HTTP status {status}")))
        if status not in (429, 503):
            raise error
        try:
            wait = float(response.getheader("retry-after", "1"))
        except ValueError:  # a date, or no number
            wait = 1.0
        if is_last or not 0 <= wait <= self._max_wait or not math.isfinite(wait):
            raise UnavailableError(str(error)) from error
        return wait


class _Sending:
    """A request whose body is sent by a thread, because the service reads lines only while its response is read."""

    def __init__(self, connection: HTTPConnection, urls: Iterable[str]) -> None:
        self.error: Optional[BaseException] = None
        self._connection = connection
        self._socket = connection.sock
        self._pending: Deque[str] = collections.deque()
        self._slots = threading.Semaphore(_MAX_PENDING)
        self._is_closed = False
        self._is_sent = False
        threading.Thread(target=self._send, args=(urls,), daemon=True).start()

    def _send(self, urls: Iterable[str]) -> None:
        try:
            for url in urls:
                self._slots.acquire()
                if self._is_closed:
                    return
                line = json.dumps({"url": url}).encode() + b"\n"
                self._pending.append(url)
                self._connection.send(b"%x\r\n%s\r\n" % (len(line), line))
            self._is_sent = True
            self._connection.send(b"0\r\n\r\n")
        except (OSError, HTTPException):
            pass  # Reading fails, too, or the response says why.
        except BaseException as error:  # of the iterable: the reader raises it
            self.error = error
            self._shut_down()

    def get_response(self) -> HTTPResponse:
        return self._connection.getresponse()

    def read_answers(self, response: HTTPResponse) -> Iterator[Answer]:
        while line := response.readline(_MAX_LINE + 1):
            if not line.endswith(b"\n"):
                raise UnavailableError("a line of the response is too long or incomplete")
            answer = _parse(line)
            if not self._pending:
                raise UnavailableError("the response has more lines than the request")
            if answer.get("url") is None and isinstance(answer.get("error"), dict):
                error = answer["error"]
                if error.get("code") == "too-many-invalid-lines":
                    raise ServiceError(200, "too-many-invalid-lines", str(error.get("message")))
            checked = _check(answer, self._pending.popleft())
            self._slots.release()
            yield checked
        if self.error is not None:
            raise self.error
        if self._pending or not self._is_sent:
            raise UnavailableError("the response ended early")

    def close(self) -> None:
        """Ends the thread, unless it is waiting for `urls`."""
        self._is_closed = True
        self._slots.release()
        self._shut_down()
        self._connection.close()

    def _shut_down(self) -> None:
        try:
            self._socket.shutdown(2)
        except OSError:
            pass  # It is not connected any more.


def _send_body(connection: HTTPConnection, body: bytes) -> None:
    try:
        connection.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
    except BrokenPipeError:
        pass  # The service has refused the request before its end: the response says why.


def _read(response: HTTPResponse, limit: int) -> bytes:
    content = response.read(limit + 1)
    if len(content) > limit:
        raise UnavailableError("the response is too large")
    return content


def _parse(content: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UnavailableError("the response is not valid JSON") from error
    if not isinstance(value, dict):
        raise UnavailableError("the response is not a JSON object")
    return value


def _check(answer: Any, url: str) -> Answer:
    """Returns the answer if it is one about the URL."""
    if not isinstance(answer, dict) or not any(answer.get("allowed", 0) is value for value in (True, False, None)):
        raise UnavailableError("the response has no verdict")
    if answer["allowed"] is None:
        error = answer.get("error")
        if not isinstance(error, dict) or not isinstance(error.get("message"), str):
            raise UnavailableError("the response has neither a verdict nor an error")
        if answer.get("url") is None:
            answer["url"] = url
    if answer.get("url") != url:
        raise UnavailableError("the response is about another URL")
    return answer  # type: ignore[return-value]


def _to_unavailable(error: BaseException) -> UnavailableError:
    return UnavailableError(str(error) or type(error).__name__)


def main(args: List[str]) -> int:
    """Runs the program. Returns its exit code."""
    worst = 0
    try:
        if len(args) < 3:
            raise ValueError("usage: maycrawl_client.py SERVICE AGENT URL...")
        service, agent, *urls = args
        client = Client(service, os.environ.get("MAYCRAWL_TOKEN"))
        if urls == ["-"]:
            answers = client.decide_many(filter(None, map(str.strip, sys.stdin)), agent)
        else:
            answers = iter(client.decide_all(urls, agent) if len(urls) > 1 else [client.decide(urls[0], agent)])
        for answer in answers:
            word, code = {True: ("allowed", 0), False: ("disallowed", 1), None: ("no answer", 2)}[answer["allowed"]]
            by = f"line {answer['line']}: {answer['rule']}" if answer.get("line") else answer.get("reason")
            print(word, answer["url"], by or answer["error"]["message"], sep="\t", flush=True)
            worst = max(worst, code)
    except (MaycrawlError, OSError, ValueError) as error:
        print(f"maycrawl_client: {error}", file=sys.stderr)
        worst = 2
    return worst


def run() -> None:
    """Runs the program with the arguments of the process."""
    code = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(code)  # a thread may still be reading standard input


if __name__ == "__main__":
    run()
