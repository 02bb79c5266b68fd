/**
 * The URLs of a sitemap (sitemaps.org, "urlset"), by one walk through its tags. No document is built and no entity is expanded
 * but the five of XML and numbers, so a hostile file costs no more than its length.
 *
 * @module
 */

export type Sitemap =
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  | { readonly kind: 'none'; readonly message: string };

/** Reads a sitemap, at most `limit` URLs of it. */
export function readSitemap(xml: string, limit: number): Sitemap {
  const urls: string[] = [];
  let root: string | null = null;
  let locName = '';
  for (let at = xml.indexOf('<'); at >= 0 && urls.length < limit; at = xml.indexOf('<', at)) {
    const skipped = endOfAside(xml, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const end = xml.indexOf('>', at);
    if (end < 0) break;
    const name = /^[\w.:-]{1,64}/.exec(xml.slice(at + 1, Math.min(end, at + 65)))?.[0] ?? '';
    at = end + 1;
    if (root === null && name !== '') {
      root = name.slice(name.indexOf(':') + 1);
      // Those of images and videos have another prefix.
      locName = `${name.slice(0, name.indexOf(':') + 1)}loc`;
    }
    if (name !== locName || root !== 'urlset') continue;
    const { text, next } = readText(xml, at);
    urls.push(text.trim());
    at = next;
  }
  if (root === 'urlset') return { kind: 'urls', urls };
  const message =
    root === 'sitemapindex'
      ? 'This is an index of sitemaps: give one of those that it names.'
      : 'This is XML, but no sitemap.';
  return { kind: 'none', message };
}

/** Where a comment, a declaration or an instruction ends that starts at `at`; `at` if none does. */
function endOfAside(xml: string, at: number): number {
  const close = xml.startsWith('<!--', at) ? '-->' : xml.startsWith('<?', at) ? '?>' : null;
  if (close === null) return at;
  const end = xml.indexOf(close, at);
  return end < 0 ? xml.length : end + close.length;
}

/** The text from `at` to the next tag. */
function readText(xml: string, at: number): { text: string; next: number } {
  const parts: string[] = [];
  let next = at;
  for (;;) {
    const tag = xml.indexOf('<', next);
    const end = tag < 0 ? xml.length : tag;
    parts.push(unescapeXml(xml.slice(next, end)));
    if (!xml.startsWith('<![CDATA[', end)) return { text: parts.join(''), next: end };
    const close = xml.indexOf(']]>', end);
    const cdataEnd = close < 0 ? xml.length : close;
    parts.push(xml.slice(end + '<![CDATA['.length, cdataEnd));
    next = Math.min(cdataEnd + 3, xml.length);
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
