"""A crawler that shares no code with maycrawl: http.client, urllib.robotparser, BeautifulSoup with html5lib, and with lxml for sitemaps (Debian:
python3-bs4 python3-html5lib python3-lxml). lxml's reader of HTML does not close a link at the start of another one, as browsers do.

crawl.py START AGENT: prints one JSON object a line for each URL of START's origin: url, status, location, title, canonical, noindex, links
([url, anchor text] of <a>, <area>, <iframe> and <frame>), and for the others "blocked".
"""
import gzip
import http.client
import json
import re
import sys
from collections import deque
from urllib.parse import quote, urldefrag, urljoin, urlsplit, urlunsplit
from urllib.robotparser import RobotFileParser

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PreformattedString

start, agent = sys.argv[1:]
origin = "{0.scheme}://{0.netloc}".format(urlsplit(start))
connection = http.client.HTTPConnection(urlsplit(start).netloc)


def fetch(url):
    parts = urlsplit(url)
    connection.request("GET", urlunsplit(("", "", parts.path or "/", parts.query, "")), headers={"User-Agent": agent})
    response = connection.getresponse()
    return response, response.read()


def resolve(base, href):
    """Returns an absolute http URL without fragment, as a browser requests it, or None."""
    href = re.sub(r"[\t\n\r]", "", href.strip(" \t\n\r\f"))
    try:
        url = urldefrag(urljoin(base, href)).url
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~[]|")
    return urlunsplit((parts.scheme, parts.netloc.lower().removesuffix(":"), path, quote(parts.query, safe="/%:@!$&()*+,;=~?[]|"), ""))


def collapse(text):
    """Collapses ASCII white space, as HTML defines it: a no-break space remains."""
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


def read_text(link):
    """Returns the text of a link, with that of its images, or None for an element without text."""
    if link.name != "a":
        return link.get("alt") and collapse(link["alt"])
    parts = []
    for part in link.descendants:
        if isinstance(part, NavigableString) and not isinstance(part, PreformattedString) and part.parent.name not in ("script", "style"):
            parts.append(part)
        elif part.name == "img":
            parts.append(part.get("alt", ""))
    return collapse("".join(parts))


def read_page(url, response, body):
    page = BeautifulSoup(body, "html5lib", from_encoding=response.headers.get_content_charset())
    base_element = page.find("base", href=True)
    base = urljoin(url, base_element["href"]) if base_element else url
    links, others = [], []
    for element in page.find_all(["a", "area", "iframe", "frame"]):
        href = element.get("href" if element.name in ("a", "area") else "src")
        target = None if href is None else resolve(base, href)
        if target is not None:
            links.append([target, read_text(element)])
    canonical = None
    for element in page.find_all("link", href=True):
        rel = [word.lower() for word in element.get("rel", [])]
        target = resolve(base, element["href"])
        if target is None:
            continue
        if "canonical" in rel:
            canonical = canonical or target
        if "canonical" in rel or "next" in rel or "prev" in rel or ("alternate" in rel and element.get("hreflang")):
            others.append(target)
    noindex = any(
        "noindex" in element.get("content", "").lower()
        for element in page.find_all("meta", attrs={"name": re.compile("^robots$", re.I)})
    )
    refresh = page.find("meta", attrs={"http-equiv": re.compile("^refresh$", re.I)})
    if refresh is not None and (match := re.search(r"^\s*(\d+).*?url\s*=\s*['\"]?([^'\"]+)", refresh.get("content", ""), re.I)):
        target = resolve(base, match.group(2))
        others.append(target)
        if int(match.group(1)) == 0:  # A redirect: nothing else of the page counts.
            return {"location": target}, others
    title = page.title.get_text() if page.title else None
    return {
        "title": None if title is None else collapse(title),
        "canonical": canonical,
        "noindex": noindex,
        "links": links,
    }, others


def read_sitemap(url):
    response, body = fetch(url)
    if response.status != 200:
        return
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    sitemap = BeautifulSoup(body, "xml")
    for element in sitemap.find_all("sitemap"):
        yield from read_sitemap(element.loc.get_text(strip=True))
    for element in sitemap.find_all("url"):
        yield element.loc.get_text(strip=True)


robots = RobotFileParser()
response, body = fetch(f"{origin}/robots.txt")
robots.parse(body.decode().splitlines())
queue = deque([start])
for sitemap in robots.site_maps() or []:
    queue.extend(resolve(origin, url) for url in read_sitemap(sitemap))

seen = set()
while queue:
    url = queue.popleft()
    if url is None or url in seen or not url.startswith(f"{origin}/"):
        continue
    seen.add(url)
    if not robots.can_fetch(agent, url):
        print(json.dumps({"url": url, "blocked": True}))
        continue
    response, body = fetch(url)
    record = {"url": url, "status": response.status}
    if 300 <= response.status < 400 and response.headers["Location"]:
        record["location"] = resolve(url, response.headers["Location"])
        queue.append(record["location"])
    elif response.status == 200 and response.headers.get_content_type() in ("text/html", "application/xhtml+xml"):
        facts, others = read_page(url, response, body)
        record.update(facts)
        for header in response.headers.get_all("Link") or []:
            if match := re.fullmatch(r'<([^>]*)>; rel="canonical"', header):
                record["canonical"] = record.get("canonical") or resolve(url, match.group(1))
                queue.append(record["canonical"])
        if "location" not in facts:
            record["noindex"] = facts["noindex"] or "noindex" in response.headers.get("X-Robots-Tag", "")
        queue.extend(link for link, _ in facts.get("links", []))
        queue.extend(others)
    print(json.dumps(record))
