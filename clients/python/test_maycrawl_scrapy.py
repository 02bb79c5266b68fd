"""Tests of the middleware in crawls by Scrapy. MAYCRAWL_SERVICE is the address of a service, MAYCRAWL_SITE an origin with these paths:

/ links to /a, /again, /b and /moved, and to /a of MAYCRAWL_DOWN, an origin whose robots.txt has the status 503; /b is disallowed; /moved redirects to /b?moved.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any, Dict

HERE = os.path.dirname(os.path.abspath(__file__))
SERVICE, SITE, DOWN = (os.environ[f"MAYCRAWL_{name}"] for name in ("SERVICE", "SITE", "DOWN"))

SPIDER = """
import json, os, sys
import scrapy
from scrapy.crawler import CrawlerProcess

outcomes = {}

class Links(scrapy.Spider):
    name = "links"

    def start_requests(self):
        yield scrapy.Request(sys.argv[1], errback=self.fail)

    def parse(self, response):
        outcomes[response.request.meta.get("redirect_urls", [response.url])[0]] = "fetched"
        for link in response.css("a::attr(href)").getall() * 2:
            yield response.follow(link, self.parse, errback=self.fail, dont_filter="again" in link)

    def fail(self, failure):
        request = failure.request
        outcomes[request.meta.get("redirect_urls", [request.url])[0]] = type(failure.value).__name__

settings = {
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "maycrawl_scrapy.MaycrawlMiddleware": 100,
    },
    "RETRY_ENABLED": False, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False,
    **json.loads(sys.argv[2]),
}
process = CrawlerProcess(settings)
crawler = process.create_crawler(Links)
process.crawl(crawler)
process.start()
stats = crawler.stats.get_stats()
print(json.dumps([outcomes, {name[9:]: stats[name] for name in stats if name.startswith("maycrawl/")}]))
"""


def crawl(**settings: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "links.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(SPIDER)
        command = [sys.executable, "-B", program, f"{SITE}/", json.dumps(settings)]
        ended = subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": HERE}, capture_output=True, text=True, timeout=120
        )
    try:
        return json.loads(ended.stdout)
    except ValueError:
        raise AssertionError(ended.stderr) from None


class ScrapyTest(unittest.TestCase):
    def test_a_crawl_obeys_the_service(self) -> None:
        outcomes, stats = crawl(MAYCRAWL_SERVICE=SERVICE, MAYCRAWL_AGENT="ExampleBot", CONCURRENT_REQUESTS=1)
        self.assertEqual(outcomes, {
            f"{SITE}/": "fetched",
            f"{SITE}/a": "fetched",
            f"{SITE}/again": "fetched",
            f"{SITE}/b": "IgnoreRequest",
            f"{SITE}/moved": "IgnoreRequest",
            f"{DOWN}/a": "TemporarilyRefused",
        })
        # "/again" is requested twice, and the target of "/moved" is disallowed.
        self.assertEqual(stats, {"allowed": 5, "disallowed": 2, "unreachable": 1, "cached": 1})

    def test_nothing_is_fetched_without_the_service(self) -> None:
        closed = "http://127.0.0.1:9"
        outcomes, stats = crawl(MAYCRAWL_SERVICE=closed, ROBOTSTXT_USER_AGENT="ExampleBot", LOG_LEVEL="CRITICAL")
        self.assertEqual([outcomes, stats], [{f"{SITE}/": "TemporarilyRefused"}, {"no_answer": 1}])

    def test_nothing_is_fetched_without_settings(self) -> None:
        for settings in ({}, {"MAYCRAWL_SERVICE": SERVICE}, {"MAYCRAWL_SERVICE": "host", "MAYCRAWL_AGENT": "x"}):
            outcomes, stats = crawl(**settings, LOG_LEVEL="CRITICAL")
            self.assertEqual([outcomes, stats], [{}, {}])

    def test_stored_answers_are_bounded_and_expire(self) -> None:
        from scrapy.utils.test import get_crawler

        from maycrawl_scrapy import MaycrawlMiddleware

        crawler = get_crawler(settings_dict={"MAYCRAWL_SERVICE": SERVICE, "MAYCRAWL_AGENT": "x", "MAYCRAWL_CACHE_SIZE": 2})
        middleware = MaycrawlMiddleware(crawler)
        answer: Dict[str, Any] = {"url": "u", "allowed": True}
        for name, seconds in (("past", -1), ("first", 99), ("second", 99), ("third", 10**9)):
            expires = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + seconds))
            middleware._write(name, {**answer, "expiresAt": expires})  # type: ignore[typeddict-item]
        middleware._write("no time", answer)  # type: ignore[arg-type]
        self.assertEqual(list(middleware._cache), ["second", "third"])
        self.assertLess(middleware._cache["third"][0], time.time() + 25 * 60 * 60)
        middleware._cache["second"] = (time.time() - 1, middleware._cache["second"][1])
        self.assertIsNone(middleware._read("second"))
        self.assertEqual(list(middleware._cache), ["third"])


if __name__ == "__main__":
    unittest.main()
