"""Tests of the client. MAYCRAWL_SERVICE is the address of a service, MAYCRAWL_SITE an origin whose robots.txt disallows /b."""
import itertools
import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator, List, Tuple

from maycrawl_client import _MAX_PENDING, Client, ServiceError, UnavailableError, is_allowed, is_temporary

SERVICE = os.environ["MAYCRAWL_SERVICE"]
SITE = os.environ["MAYCRAWL_SITE"]


class ScriptedServer:
    """A server on loopback whose responses are scripted: status, headers, body."""

    def __init__(self, *script: Tuple[int, dict, Any]) -> None:
        responses = iter(script)
        self.count = 0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                owner.count += 1
                if self.command == "POST":
                    while self.rfile.readline() not in (b"0\r\n", b""):
                        pass
                status, headers, body = next(responses)
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = respond

            def log_message(self, *_args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_error: Any) -> None:
        self.server.shutdown()
        self.server.server_close()


ALLOWED = {"url": "u", "agent": "x", "allowed": True, "line": 0, "reason": "no-rule-matched"}


class ServiceTest(unittest.TestCase):
    client = Client(SERVICE)

    def test_one_url(self) -> None:
        answer = self.client.decide(f"{SITE}/b", "Googlebot")
        self.assertEqual([answer["allowed"], answer["line"], answer["rule"]], [False, 2, "/b"])
        self.assertFalse(is_temporary(answer))
        self.assertTrue(is_allowed(self.client.decide(f"{SITE}/a?x=\u00e4&y=1", "Googlebot")))

    def test_a_list_with_an_invalid_url(self) -> None:
        for decide in (self.client.decide_all, self.client.decide_many):
            answers = list(decide([f"{SITE}/a", "none", f"{SITE}/b"], "Googlebot"))
            self.assertEqual([answer["allowed"] for answer in answers], [True, None, False])
            self.assertEqual([is_allowed(answer) for answer in answers], [True, False, False])
            self.assertEqual(answers[1]["url"], "none")

    def test_an_endless_list_is_read_only_as_far_as_answers_are_taken(self) -> None:
        read = 0

        def urls() -> Iterator[str]:
            nonlocal read
            for index in itertools.count():
                read += 1
                yield f"{SITE}/a{index}"
        answers = self.client.decide_many(urls(), "Googlebot")
        taken = list(itertools.islice(answers, 5_000))
        answers.close()  # type: ignore[attr-defined]
        self.assertEqual(taken[-1]["url"], f"{SITE}/a4999")
        self.assertLessEqual(read, 5_000 + _MAX_PENDING + 1)

    def test_an_empty_list(self) -> None:
        self.assertEqual(list(self.client.decide_many([], "Googlebot")), [])

    def test_an_error_of_the_list_is_raised(self) -> None:
        def urls() -> Iterator[str]:
            yield f"{SITE}/a"
            raise KeyError("broken")
        with self.assertRaises(KeyError):
            list(self.client.decide_many(urls(), "Googlebot"))

    def test_an_invalid_agent(self) -> None:
        with self.assertRaises(ServiceError) as caught:
            self.client.decide(f"{SITE}/a", "\u00e4")
        self.assertEqual([caught.exception.status, caught.exception.code], [400, "invalid-agent"])

    def test_an_unreachable_site_is_a_temporary_refusal(self) -> None:
        with ScriptedServer(*[(503, {}, b"")] * 20) as site:
            answer = self.client.decide(f"{site.address}/a", "Googlebot")
        self.assertEqual([is_allowed(answer), is_temporary(answer)], [False, True])


class FailureTest(unittest.TestCase):
    def test_retries(self) -> None:
        busy = [(429, {"retry-after": "0"}, b""), (503, {"retry-after": "0"}, b"")]
        with ScriptedServer(*busy, (200, {}, ALLOWED)) as server:
            self.assertTrue(is_allowed(Client(server.address).decide("u", "x")))
            self.assertEqual(server.count, 3)
        with ScriptedServer(*busy, (200, {}, json.dumps(ALLOWED).encode() + b"\n")) as server:
            self.assertEqual(len(list(Client(server.address).decide_many(["u"], "x"))), 1)

    def test_retries_are_bounded(self) -> None:
        with ScriptedServer(*[(503, {"retry-after": "0"}, b"")] * 9) as server:
            with self.assertRaises(UnavailableError):
                Client(server.address, tries=2).decide("u", "x")
            self.assertEqual(server.count, 2)
            with self.assertRaises(UnavailableError):
                list(Client(server.address).decide_many(iter(["u"]), "x"))
            self.assertEqual(server.count, 3)

    def test_a_long_wait_is_an_error(self) -> None:
        for wait in ("3600", "1e999", "nan", "-1"):
            with ScriptedServer((429, {"retry-after": wait}, b"")) as server:
                with self.assertRaises(UnavailableError):
                    Client(server.address).decide("u", "x")

    def test_a_response_without_a_verdict_is_an_error(self) -> None:
        bodies: List[Any] = [
            b"", b"{", b"[" * 100_000, [], {}, {**ALLOWED, "allowed": 1}, {**ALLOWED, "url": "other"}, {"url": "u", "allowed": None},
        ]
        for body in bodies:
            for decide in (Client.decide, lambda client, url, agent: list(client.decide_many([url], agent))):
                with self.subTest(body=str(body)[:20]), ScriptedServer((200, {}, body)) as server:
                    with self.assertRaises(UnavailableError):
                        decide(Client(server.address), "u", "x")

    def test_a_redirect_is_an_error(self) -> None:
        with ScriptedServer((302, {"location": SERVICE}, b"")) as server:
            with self.assertRaises(ServiceError):
                Client(server.address, "secret").decide("u", "x")

    def test_a_service_that_does_not_respond(self) -> None:
        with ScriptedServer() as server:
            address = server.address
        with self.assertRaises(UnavailableError):
            Client(address, timeout=0.2).decide("u", "x")
        with self.assertRaises(UnavailableError):
            list(Client(address, timeout=0.2).decide_many(["u"], "x"))

    def test_invalid_arguments(self) -> None:
        for service in ("", "host", "ftp://h/", "http://", "http://u@h/", "http://h/?q"):
            with self.assertRaises(ValueError):
                Client(service)
        with self.assertRaises(ValueError):
            Client(SERVICE, "a\nb")
        with self.assertRaises(ValueError):
            Client(SERVICE, timeout=0)


if __name__ == "__main__":
    unittest.main()
