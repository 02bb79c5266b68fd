// The robots.txt of the site and its decisions: merged groups, a crawler that falls back to the group of another, wildcards,
// end anchors and exceptions.
import { type ByAgent, type Case, html } from './case.ts';

/** Expectations refer to its lines by their numbers, from 1. */
export const ROBOTS_TXT = `# 1: what is open and closed on this site
User-agent: *
Disallow: /closed/
Allow: /closed/open/
Disallow: /*.private$
Disallow: /not-general/

User-agent: Googlebot
Disallow: /closed/
Disallow: /not-google/
Allow: /not-google/but-this$
Disallow: /*?session=
Disallow: /deep/*/under
# 14

User-agent: bingbot
User-agent: otherbot
Disallow: /closed/
Disallow: /not-bing/
Disallow: /merged/part/
Disallow: /%e2%9c%93/
Allow: /not-bing/index.html

User-agent: googlebot/2.1
Disallow: /second-group/
Disallow: /merged/closed/

User-agent: bingbot
Disallow: /second-group/only-bing
Disallow: /merged/closed/

User-agent: *
Disallow:
Disallow: /merged/closed/

Sitemap: {origin}/sitemap.xml
sitemap: {origin}/sitemaps/index.xml
Sitemap: {origin}/sitemaps/gone.xml
Sitemap: {origin}/closed/sitemap.xml
Sitemap: {origin}/sitemaps/broken.xml
`;

const ok = { body: html() };
const NOINDEX = { body: html('<meta name="robots" content="noindex">') };
const CLOSED: ByAgent = ['-9', '-9', '-18', '-3'];

/** A page for which a minus in `crawl` is the only reason. */
const partly = (
  url: string,
  crawl: readonly [string, string, string, string],
  more: Partial<Case> = {},
): Case => {
  const [google, googleNews, bing, example] = crawl.map((one) => (one.startsWith('-') ? 'blocked' : ''));
  return {
    url,
    served: ok,
    crawl,
    reasons: [google, googleNews, bing, example] as unknown as ByAgent,
    ...more,
  };
};

/** A page that robots.txt disallows for all crawlers, so that no request is sent, and its content is unknown. */
export const closed = (url: string, more: Partial<Case> = {}): Case => ({
  ...{ url, served: NOINDEX, state: 'blocked', crawl: CLOSED, reasons: 'blocked' },
  ...more,
});

export const ROBOTS_CASES: readonly Case[] = [
  closed('/closed/a'),
  closed('/closed/open'),
  // One crawler may fetch it, so the reasons that the block hides from the others are known.
  partly('/closed/open/noindex', ['-9', '-9', '-18', '+4'], {
    ...{ served: NOINDEX, noindex: 'meta *: noindex' },
    reasons: ['blocked', 'blocked', 'blocked', 'noindex'],
    maskedReasons: ['noindex', 'noindex', 'noindex', ''],
  }),
  // A different case and a prefix make a different path.
  ...['/CLOSED/a', '/closed', '/open-after-dots', '/x.private?y', '/deep/under'].map(
    (url): Case => ({ url, served: ok }),
  ),
  partly('/x.private', ['+0', '+0', '+0', '-5'], {
    served: { body: html('<link rel="canonical" href="/open-after-dots">') },
    canonical: 'other /open-after-dots',
    reasons: ['canonicalised', 'canonicalised', 'canonicalised', 'blocked'],
    maskedReasons: ['', '', '', 'canonicalised'],
    links: ['canonical /open-after-dots'],
  }),
  // The * group does not apply to crawlers with a group.
  partly('/not-general/gone', ['+0', '+0', '+0', '-6'], {
    served: { status: 404, body: html('<meta name="examplebot" content="noindex">') },
    reasons: ['not-found', 'not-found', 'not-found', 'blocked'],
    maskedReasons: ['', '', '', 'not-found noindex'],
  }),
  // Googlebot-News has no group here, so the group of Googlebot applies.
  partly('/not-google/a', ['-10', '-10', '+0', '+33'], {
    served: { body: html('<meta name="googlebot-news" content="noindex">') },
    maskedReasons: ['', 'noindex', '', ''],
  }),
  partly('/not-google/but-this', ['+11', '+11', '+0', '+33']),
  partly('/not-google/but-this?q', ['-10', '-10', '+0', '+33']),
  partly('/page?session=1', ['-12', '-12', '+0', '+33']),
  partly('/deep/a/b/under-more', ['-13', '-13', '+0', '+33']),
  // An allowed index.html allows its folder URL, and no other URL in it.
  partly('/not-bing/a', ['+0', '+0', '-19', '+33']),
  partly('/not-bing/', ['+0', '+0', '+22', '+33']),
  partly('/%E2%9C%93/a', ['+0', '+0', '-21', '+33'], {
    served: { headers: [['X-Robots-Tag', 'bingbot: noindex, googlebot: nofollow']], body: html() },
    maskedReasons: ['', '', 'noindex', ''],
  }),
  // Two groups of one crawler are merged.
  partly('/second-group/only-bing/too', ['-25', '-25', '-29', '+33']),
  partly('/merged/part/a', ['+0', '+0', '-20', '+33']),
  closed('/merged/closed/a', { crawl: ['-26', '-26', '-30', '-34'] }),
];
