"""Asks a maycrawl service: may this crawler fetch these URLs?

    python3 decide.py SERVICE AGENT URL...         (or - for a list on standard input)

One URL is asked with GET, several with one POST; a list goes as lines of JSON, which are answered as they come.
MAYCRAWL_TOKEN has the bearer token, where one is needed. Exit code: 0 all allowed, 1 any disallowed, 2 any without an answer.
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
    """As /openapi.json has it. Where `allowed` is None there are only `url`, `agent` and `error`."""
    url: Optional[str]
    agent: Optional[str]  # as it was understood
    profile: str
    allowed: Optional[bool]
    line: int  # of the rule that decides, from 1; 0 if there is none
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


def ask(service: str, path: str, body: Iterable[bytes] = (), kind: str = "application/json", tries: int = 4) -> Iterator[bytes]:
    """Asks: GET, or POST if there is a body. It is sent while the answer is read: lines are read on only as answers are taken."""
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
        return ask(service, path, body, kind, tries - 1)
    if response.headers.get_content_type() != "application/problem+json":
        raise OSError(f"HTTP status {response.status}")
    raise OSError("{code}: {detail}".format_map(json.load(response)))


def answers_of(service: str, agent: str, urls: list[str]) -> Iterator[Answer]:
    path = "/v1/decide?" + urlencode({"agent": agent})
    if urls == ["-"]:
        unanswered, is_read = [], threading.Event()

        def asked() -> Iterator[bytes]:
            for line in filter(None, map(str.strip, sys.stdin)):
                unanswered.append(1)
                yield b"%s\n" % json.dumps({"url": line}).encode()
            is_read.set()
        for line in ask(service, path, asked(), "application/x-ndjson"):
            yield json.loads(line)
            unanswered.pop()
        if unanswered or not is_read.is_set():
            raise OSError("the answer ended before its time")
    elif len(urls) == 1:
        yield json.load(ask(service, path + "&" + urlencode({"url": urls[0]})))
    else:
        body = json.dumps({"agent": agent, "urls": urls}).encode()
        yield from json.load(ask(service, "/v1/decide", [body]))["answers"]


if __name__ == "__main__":
    worst = 0
    threading.excepthook = lambda _: None  # where sending fails, so does reading
    try:
        if len(sys.argv) < 4:
            raise ValueError("usage: decide.py SERVICE AGENT URL...")
        service, agent, *urls = sys.argv[1:]
        for answer in answers_of(service, agent, urls):
            word, code = {True: ("allowed", 0), False: ("disallowed", 1), None: ("no answer", 2)}[answer["allowed"]]
            by = f"line {answer['line']}: {answer['rule']}" if answer.get("line") else answer.get("reason")
            print(word, answer["url"], by or answer["error"]["message"], sep="\t", flush=True)
            worst = max(worst, code)
    except (OSError, HTTPException, ValueError) as error:
        print(f"decide: {error}", file=sys.stderr)
        worst = 2
    os._exit(worst)  # a thread may still be reading standard input
