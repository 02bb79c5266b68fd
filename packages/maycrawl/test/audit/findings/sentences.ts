// What the report must say about each URL of the site of cases, written by hand.
import { html, type Site } from '../../support/audit-runs.ts';
import { ORIGIN } from './cases.ts';

const FINE = 'Can be indexed: Googlebot may fetch it, its status is 200, and nothing forbids indexing.';
const NO_CANONICAL = `${FINE} It names no canonical.`;
const IGNORED = (why: string): string =>
  `${FINE} Its canonical is ignored (${why}), so search engines select one themselves.`;
const OTHER = (path: string, end: string): string =>
  `Names another URL as its canonical, which should be indexed instead: ${at(path)}, which ${end}.`;
const at = (path: string): string => (path.startsWith('/') ? `${ORIGIN}${path}` : path);
const AWAY = 'https://elsewhere.example/x';
const NEVER = 'so visitors and crawlers never reach a page.';
const BLOCKED = 'robots.txt disallows for Googlebot, so what is there is unknown';
const RESPONDS = 'is out of the scope of the audit and responds with status 200';
const FAR = 'is out of the scope of the audit and was not fetched';

/** For Googlebot, by path. */
export const SENTENCES: Readonly<Record<string, string>> = {
  '/good': NO_CANONICAL,
  '/canonical/self': `${FINE} It names itself as its canonical.`,
  '/canonical/twice': `${FINE} It names itself as its canonical; another canonical is ignored (file: address).`,
  '/canonical/conflict': `${FINE} It names 2 different canonicals, so search engines ignore all of them.`,
  '/canonical/file': IGNORED('file: address'),
  '/canonical/variant': OTHER('/good', 'can be indexed'),
  '/canonical/to-missing': OTHER('/missing', 'was not found (status 404)'),
  '/canonical/to-blocked': OTHER('/blocked/page', BLOCKED),
  '/canonical/to-noindex': OTHER('/noindex', 'has noindex, so neither page is indexed'),
  '/canonical/to-redirect': OTHER('/redirect/good', `redirects to ${at('/good')}`),
  '/canonical/to-lost': OTHER('/redirect/to-missing', `redirects to ${at('/missing')} (status 404)`),
  '/canonical/to-loop': OTHER('/loop/a', `redirects to ${at('/loop/a')} (a loop)`),
  '/canonical/to-variant': OTHER(
    '/canonical/variant',
    `names another canonical itself, and the last one is ${at('/good')}`,
  ),
  '/canonical/away': OTHER(AWAY, FAR),
  '/soft/same': `${NO_CANONICAL} It looks like a page that was not found: the content of a page that was not found.`,
  '/noindex': 'Not indexed: a meta tag for all crawlers says "noindex".',
  '/noindex/header': 'Not indexed: the header X-Robots-Tag for googlebot says "googlebot: noindex".',
  '/noindex/late':
    'Not indexed: the header X-Robots-Tag for all crawlers says "unavailable_after: 1 Jan 2020 00:00:00 GMT".',
  '/missing': 'Was not found (status 404). 2 URLs link or redirect to it.',
  '/gone': 'Was removed (status 410). 1 URL links or redirects to it.',
  '/busy': 'Responds that there are too many requests (status 429).',
  '/no-content': 'Responds with status 204, but only 200 is indexed.',
  '/silent':
    'Does not respond: the response took too long (it failed: timeout). Whether it can be indexed is unknown.',
  '/redirect/nowhere': 'Redirects without a valid target (status 301).',
  '/redirect/good': `Redirects (301) to ${at('/good')}, which can be indexed.`,
  '/redirect/twice': `Redirects in 2 steps to ${at('/good')}, which can be indexed.`,
  '/redirect/to-missing': `Redirects (301) to ${at('/missing')}, which was not found (status 404).`,
  '/redirect/to-silent': `Redirects (301) to ${at('/silent')}, which does not respond (the response took too long).`,
  '/redirect/to-blocked': `Redirects (301) to ${at('/blocked/page')}, which ${BLOCKED}.`,
  '/redirect/to-noindex': `Redirects (301) to ${at('/noindex')}, which has noindex, so neither URL is indexed.`,
  '/redirect/to-variant': `Redirects (301) to ${at('/canonical/variant')}, which names another URL as its canonical.`,
  '/redirect/away': `Redirects (301) to ${AWAY}, which ${FAR}.`,
  '/redirect/to-other-page': `Redirects (301) to https://other.example/page, which ${RESPONDS}.`,
  '/redirect/to-other-redirect': `Redirects in 2 steps to https://other.example/page, which ${RESPONDS}.`,
  '/only-bing':
    'Line 3 of robots.txt disallows it for Googlebot. Its status, noindex and canonical are unknown to Googlebot, so they have no effect. The URL can be indexed without its content.',
  '/behind-bing': `${NO_CANONICAL} But Googlebot cannot find it: no sitemap lists it, and Googlebot may fetch no page that links to it.`,
  'https://other.example/page':
    'Not audited: it is out of the scope of the audit, and was fetched only because a redirect or canonical leads to it: it responds with status 200.',
  '/loop/a': `Redirects into a loop: after 2 redirects it is at ${at('/loop/a')} again, ${NEVER}`,
  '/loop/into': `Redirects into a loop: after 3 redirects it is at ${at('/loop/a')} again, ${NEVER}`,
  '/loop/self': `Redirects to itself, ${NEVER}`,
  [AWAY]: 'Not audited: it is out of the scope of the audit, so it was not fetched.',
};

/** For GPTBot, which may fetch nothing. */
export const SENTENCES_FOR_GPTBOT: Readonly<Record<string, string>> = {
  '/good':
    'Line 6 of robots.txt disallows it for GPTBot. Its status, noindex and canonical are unknown to GPTBot, so they have no effect. The URL can be indexed without its content.',
  '/noindex':
    'Line 6 of robots.txt disallows it for GPTBot. GPTBot cannot see why it would not be indexed otherwise (noindex), so that has no effect. The URL can be indexed without its content.',
};

/** A site whose crawl stopped at its limit of pages. */
export const STOPPED_SITE: Site = {
  start: `${ORIGIN}/`,
  end: 'max-pages',
  trap: '/calendar',
  settings: { maxPages: 1 },
  answers: {
    [`${ORIGIN}/`]: { body: html('Start', ['/next', '/calendar/1', 'https://elsewhere.example/x']) },
  },
};

/** What the report must say about the URLs of that site. */
export const SENTENCES_WHEN_STOPPED: Readonly<Record<string, string>> = {
  '/': NO_CANONICAL,
  '/next': 'Not fetched: the crawl ended before it. Whether it can be indexed is unknown.',
  '/calendar/1': 'Not fetched: it belongs to an endless series of similar URLs (no end of it).',
  [AWAY]: 'Not audited: it is out of the scope of the audit, so it was not fetched.',
};
