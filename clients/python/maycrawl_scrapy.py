"""A downloader middleware for Scrapy that has a maycrawl service decide, in place of Scrapy's own RobotsTxtMiddleware.

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "maycrawl_scrapy.MaycrawlMiddleware": 100,
    }
    MAYCRAWL_SERVICE = "http://127.0.0.1:8080"
    MAYCRAWL_AGENT = "ExampleBot"
"""
import collections
import datetime
import logging
import os
import threading
import time
from typing import Any, Optional, OrderedDict

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from maycrawl_client import Answer, Client, MaycrawlError, is_allowed, is_temporary

logger = logging.getLogger(__name__)

_MAX_AGE = 24 * 60 * 60  # seconds


class TemporarilyRefused(IgnoreRequest):
    """There is no verdict, or the robots.txt is unreachable. The errback of the request may schedule it again."""


class MaycrawlMiddleware:
    """Ignores requests that the service does not allow.

    Settings: MAYCRAWL_SERVICE (required), MAYCRAWL_AGENT (default: ROBOTSTXT_USER_AGENT; one of them is required), MAYCRAWL_TOKEN (default: the
    environment variable), MAYCRAWL_TIMEOUT (seconds, default 90), MAYCRAWL_THREADS (concurrent requests to the service, default 16) and
    MAYCRAWL_CACHE_SIZE (stored answers, default 10,000). Requests with `dont_obey_robotstxt` in their meta are not checked.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        service = settings.get("MAYCRAWL_SERVICE")
        agent = settings.get("MAYCRAWL_AGENT") or settings.get("ROBOTSTXT_USER_AGENT")
        # NotConfigured would disable the middleware, and the crawl would go on without it.
        if not service or not agent:
            raise ValueError("MAYCRAWL_SERVICE and MAYCRAWL_AGENT must be set")
        token = settings.get("MAYCRAWL_TOKEN") or os.environ.get("MAYCRAWL_TOKEN")
        self._client = Client(service, token, timeout=settings.getfloat("MAYCRAWL_TIMEOUT", 90))
        self._agent: str = agent
        self._stats: Any = crawler.stats
        self._size = settings.getint("MAYCRAWL_CACHE_SIZE", 10_000)
        self._cache: OrderedDict[str, "tuple[float, Answer]"] = collections.OrderedDict()
        # The pool of the reactor also resolves host names.
        threads = settings.getint("MAYCRAWL_THREADS", 16)
        if threads < 1:
            raise ValueError("MAYCRAWL_THREADS must be at least 1")
        self._pool = ThreadPool(0, threads, "maycrawl")
        crawler.signals.connect(self._start, signals.engine_started)
        crawler.signals.connect(self._stop, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "MaycrawlMiddleware":
        return cls(crawler)

    def _start(self) -> None:
        self._pool.start()

    def _stop(self) -> None:
        # Another thread waits for the threads of the pool, which may be waiting for the service.
        threading.Thread(target=self._pool.stop, name="maycrawl-stop").start()

    def process_request(self, request: Request, spider: Spider) -> Optional[Deferred]:
        if request.meta.get("dont_obey_robotstxt") or request.url.startswith(("data:", "file:")):
            return None
        stored = self._read(request.url)
        if stored is not None:
            self._stats.inc_value("maycrawl/cached")
            return self._judge(stored, request)
        from twisted.internet import reactor  # only now, because Scrapy installs it

        deferred = deferToThreadPool(reactor, self._pool, self._client.decide, request.url, self._agent)
        return deferred.addCallbacks(self._use, self._refuse, callbackArgs=(request,), errbackArgs=(request,))

    def _use(self, answer: Answer, request: Request) -> None:
        self._write(request.url, answer)
        return self._judge(answer, request)

    def _judge(self, answer: Answer, request: Request) -> None:
        if is_allowed(answer):
            self._stats.inc_value("maycrawl/allowed")
            return
        if is_temporary(answer):
            self._stats.inc_value("maycrawl/unreachable")
            raise TemporarilyRefused(f"the robots.txt is unreachable until {answer.get('expiresAt')}: {request.url}")
        self._stats.inc_value("maycrawl/disallowed")
        raise IgnoreRequest(f"disallowed by line {answer.get('line')} of robots.txt: {request.url}")

    def _refuse(self, failure: Failure, request: Request) -> None:
        self._stats.inc_value("maycrawl/no_answer")
        if failure.check(MaycrawlError) is None:
            logger.error("maycrawl: the client failed", exc_info=(failure.type, failure.value, failure.getTracebackObject()))
        else:
            logger.warning("maycrawl: no answer for %s: %s", request.url, failure.value)
        raise TemporarilyRefused(f"no answer of the service: {request.url}")

    def _read(self, url: str) -> Optional[Answer]:
        expires, answer = self._cache.get(url, (0.0, None))
        if expires > time.time():
            self._cache.move_to_end(url)
            return answer
        self._cache.pop(url, None)
        return None

    def _write(self, url: str, answer: Answer) -> None:
        try:
            # Python before 3.11 does not read "Z".
            expires = datetime.datetime.fromisoformat(str(answer.get("expiresAt")).replace("Z", "+00:00")).timestamp()
        except (ValueError, OverflowError, OSError):
            return  # Without a time the answer is valid only now.
        now = time.time()
        if now < expires:
            self._cache[url] = (min(expires, now + _MAX_AGE), answer)
        while len(self._cache) > self._size:
            self._cache.popitem(last=False)
