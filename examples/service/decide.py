"""Queries a maycrawl service: may this crawler fetch these URLs?

    python3 decide.py SERVICE AGENT URL...         (or - for a list on standard input)

One URL is sent with GET, several with one POST; a list is sent as lines of JSON, with one line of the response for each.
MAYCRAWL_TOKEN is the bearer token, if the service requires one. Exit code: 0 all allowed, 1 any disallowed, 2 any without an answer.
"""
import json
import os
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Iterable, Iterator, Literal, Optional, TypedDict
from urllib.parse import urlencode, urlsplit


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
    policy: dict[Literal["kind", "reason"], str]  # kind: "rules", "allow-all", "disallow-all", "unknown"
    code: str
    message: str
    fetchedAt: Optional[str]
    expiresAt: str
    error: dict[Literal["code", "message"], str]


def send_request(service: str, path: str, body: Iterable[bytes] = (), kind: str = "application/json", tries: int = 4) -> Iterator[bytes]:
    """Sends GET, or POST with a body. A thread sends the body, because the service reads lines only while its response is read."""
    scheme, host, prefix, *_ = urlsplit(service)
    connection = (HTTPSConnection if scheme == "https" else HTTPConnection)(host, timeout=90)
    connection.putrequest("POST" if body else "GET", prefix.rstrip("/") + path)
    if body:
        connection.putheader("content-type", kind)
        connection.putheader("transfer-encoding", "chunked")
    if token := os.environ.get("MAYCRAWL_TOKEN"):
        connection.putheader("authorization", f"Bearer {token}")
    connection.endheaders()

    def send() -> None:
        for part in body:
            connection.send(b"%x\r\n%s\r\n" % (len(part), part))
        connection.send(b"0\r\n\r\n")
    if body:
        threading.Thread(target=send, daemon=True).start()
    response = connection.getresponse()
    if response.status == 200:
        return response
    if response.status in (429, 503) and isinstance(body, (tuple, list)) and tries > 1:
        time.sleep(float(response.getheader("retry-after", "1")))
        return send_request(service, path, body, kind, tries - 1)
    if response.headers.get_content_type() != "application/problem+json":
        raise OSError(f"HTTP status {response.status}")
    raise OSError("{code}: {detail}".format_map(json.load(response)))


def get_answers(service: str, agent: str, urls: list[str]) -> Iterator[Answer]:
    path = "/v1/decide?" + urlencode({"agent": agent})
    if urls == ["-"]:
        unanswered, is_read = [], threading.Event()

        def read_lines() -> Iterator[bytes]:
            for line in filter(None, map(str.strip, sys.stdin)):
                unanswered.append(1)
                yield b"%s\n" % json.dumps({"url": line}).encode()
            is_read.set()
        for line in send_request(service, path, read_lines(), "application/x-ndjson"):
            yield json.loads(line)
            unanswered.pop()
        if unanswered or not is_read.is_set():
            raise OSError("the response ended early")
    elif len(urls) == 1:
        yield json.load(send_request(service, path + "&" + urlencode({"url": urls[0]})))
    else:
        body = json.dumps({"agent": agent, "urls": urls}).encode()
        yield from json.load(send_request(service, "/v1/decide", [body]))["decisions"]


if __name__ == "__main__":
    worst = 0
    threading.excepthook = lambda _: None  # if sending fails, reading fails, too
    try:
        if len(sys.argv) < 4:
            raise ValueError("usage: decide.py SERVICE AGENT URL...")
        service, agent, *urls = sys.argv[1:]
        for answer in get_answers(service, agent, urls):
            word, code = {True: ("allowed", 0), False: ("disallowed", 1), None: ("no answer", 2)}[answer["allowed"]]
            by = f"line {answer['line']}: {answer['rule']}" if answer.get("line") else answer.get("reason")
            print(word, answer["url"], by or answer["error"]["message"], sep="\t", flush=True)
            worst = max(worst, code)
    except (OSError, HTTPException, ValueError) as error:
        print(f"decide: {error}", file=sys.stderr)
        worst = 2
    os._exit(worst)  # a thread may still be reading standard input
