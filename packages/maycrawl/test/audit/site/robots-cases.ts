/**
 * The robots.txt of the site and its decisions: merged groups, a crawler that falls back to the group of another, wildcards,
 * end anchors and exceptions.
 *
 * @module
 */
import { type Case, html } from './case.ts';

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

export const ROBOTS_CASES: readonly Case[] = [
  // Disallowed for all crawlers: no request is sent, so the content is unknown.
  ...['/closed/a', '/closed/open'].map(
    (url): Case => ({
      url,
      served: NOINDEX,
      state: 'blocked',
      crawl: ['-9', '-9', '-18', '-3'],
      reasons: 'blocked',
    }),
  ),
  // One crawler may fetch it, so the reasons that the block hides from the others are known.
  {
    url: '/closed/open/noindex',
    served: NOINDEX,
    crawl: ['-9', '-9', '-18', '+4'],
    noindex: 'meta *: noindex',
    reasons: ['blocked', 'blocked', 'blocked', 'noindex'],
    hidden: ['noindex', 'noindex', 'noindex', ''],
  },
  // A different case, encoded slashes and a prefix make a different path.
  ...['/CLOSED/a', '/closed', '/open-after-dots'].map((url): Case => ({ url, served: ok })),
  {
    url: '/x.private',
    served: { body: html('<link rel="canonical" href="/open-after-dots">') },
    crawl: ['+0', '+0', '+0', '-5'],
    canonical: 'other /open-after-dots',
    reasons: ['canonicalised', 'canonicalised', 'canonicalised', 'blocked'],
    hidden: ['', '', '', 'canonicalised'],
    links: ['canonical /open-after-dots'],
  },
  ...['/x.private?y'].map((url): Case => ({ url, served: ok })),
  // The * group does not apply to crawlers with a group.
  {
    url: '/not-general/gone',
    served: { status: 404, body: html('<meta name="examplebot" content="noindex">') },
    crawl: ['+0', '+0', '+0', '-6'],
    reasons: ['not-found', 'not-found', 'not-found', 'blocked'],
    hidden: ['', '', '', 'not-found noindex'],
  },
  // Googlebot-News has no group here, so the group of Googlebot applies.
  {
    url: '/not-google/a',
    served: { body: html('<meta name="googlebot-news" content="noindex">') },
    crawl: ['-10', '-10', '+0', '+33'],
    reasons: ['blocked', 'blocked', '', ''],
    hidden: ['', 'noindex', '', ''],
  },
  { url: '/not-google/but-this', served: ok, crawl: ['+11', '+11', '+0', '+33'] },
  ...['/not-google/but-this?q'].map(
    (url): Case => ({
      url,
      served: ok,
      crawl: ['-10', '-10', '+0', '+33'],
      reasons: ['blocked', 'blocked', '', ''],
    }),
  ),
  ...['/page?session=1'].map(
    (url): Case => ({
      url,
      served: ok,
      crawl: ['-12', '-12', '+0', '+33'],
      reasons: ['blocked', 'blocked', '', ''],
    }),
  ),
  ...['/deep/under'].map((url): Case => ({ url, served: ok })),
  ...['/deep/a/b/under-more'].map(
    (url): Case => ({
      url,
      served: ok,
      crawl: ['-13', '-13', '+0', '+33'],
      reasons: ['blocked', 'blocked', '', ''],
    }),
  ),
  // An allowed index.html allows its folder URL, and no other URL in it.
  { url: '/not-bing/a', served: ok, crawl: ['+0', '+0', '-19', '+33'], reasons: ['', '', 'blocked', ''] },
  { url: '/not-bing/', served: ok, crawl: ['+0', '+0', '+22', '+33'] },
  {
    url: '/%E2%9C%93/a',
    served: { headers: [['X-Robots-Tag', 'bingbot: noindex, googlebot: nofollow']], body: html() },
    crawl: ['+0', '+0', '-21', '+33'],
    reasons: ['', '', 'blocked', ''],
    hidden: ['', '', 'noindex', ''],
  },
  // Two groups of one crawler are merged.
  {
    url: '/second-group/only-bing/too',
    served: ok,
    crawl: ['-25', '-25', '-29', '+33'],
    reasons: ['blocked', 'blocked', 'blocked', ''],
  },
  { url: '/merged/part/a', served: ok, crawl: ['+0', '+0', '-20', '+33'], reasons: ['', '', 'blocked', ''] },
  {
    ...{ url: '/merged/closed/a', served: ok, state: 'blocked' },
    crawl: ['-26', '-26', '-30', '-34'],
    reasons: 'blocked',
  },
];
