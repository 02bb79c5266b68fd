import type { ServerResponse } from 'node:http';

export const HOUR: number = 3_600_000;
const DAY = 24 * HOUR;
export const START: number = Date.UTC(2026, 10, 1);

const RULES = 'User-agent: *\nDisallow: /cart\nDisallow: /search\n';
const GPT = 'User-agent: GPTBot\nDisallow: /cart\nDisallow: /search\nDisallow: /blog\n';
const FILE = `${RULES}\n${GPT}`;
const WITH_SITEMAP = `# shop\n${FILE}\nSitemap: https://shop.example/sitemap.xml\n`;
const REFUSAL = RULES.replace('\n', '\nContent-Signal: ai-train=no\n');
const TWO_FORMATS = REFUSAL.replace('\n', '\nContent-Usage: ai=n\n');
const STAGING = 'User-agent: *\nDisallow: /\n';

/** The URLs of the owner. */
export const URLS = '/\n/shoes/1\n/blog/a\n/cart/1\n/search?q=x\n';

/** What the site sends: a body, a status, or one of the other responses of {@link sendMonth}. */
export type MonthResponse =
  | string
  | Uint8Array
  | number
  | 'reset'
  | { readonly redirect: string }
  | { readonly dated: string }
  | { readonly failOnce: string };

/** A state of the site, its duration in milliseconds, and the expected events in order. */
export interface MonthState {
  readonly name: string;
  readonly response: MonthResponse;
  readonly lasts: number;
  readonly events: readonly (readonly [severity: string, title: string])[];
}

const state = (
  name: string,
  response: MonthResponse,
  hours: number,
  ...events: MonthState['events']
): MonthState => ({ name, response, lasts: hours * HOUR, events });

/** The size limit cuts the rule after this to `Disallow: /`. */
const LONG = `${`${RULES}${'# padding of a long file\n'.repeat(30_000)}`.slice(0, 512_000 - 12)}\n`;

/** A month of a site, then an outage of more than thirty days. */
export const MONTH: readonly MonthState[] = [
  state('the first check', FILE, 24, ['info', 'watched from now on; the file has 118 bytes']),
  state('a comment', `# shop\n${FILE}`, 24, ['info', 'formatting only: verdicts are the same']),
  state('a sitemap', WITH_SITEMAP, 24, [
    'info',
    'added: Sitemap: https://shop.example/sitemap.xml; verdicts are the same',
  ]),
  state('new rules', `${RULES}Disallow: /shoes/1\n\n${GPT}Disallow: /shoes\nDisallow: /*?q=\n`, 24, [
    'error',
    'newly blocked: /shoes/1 for Googlebot and bingbot; /*?q=, /shoes for GPTBot. Googlebot, bingbot and GPTBot: 1 of your 5 URLs newly blocked. removed: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('their removal', WITH_SITEMAP, 24, [
    'info',
    'back to version 3, as before DAY: newly allowed: /shoes/1 for Googlebot and bingbot; /*?q=, /shoes for GPTBot. Googlebot, bingbot and GPTBot: 1 of your 5 URLs newly allowed. added: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('one failed request', { failOnce: WITH_SITEMAP }, 24),
  state('503 for an hour', 503, 1, [
    'error',
    'robots.txt cannot be fetched (status 503): Google treats all URLs as disallowed',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'robots.txt is reachable again after N hours, back to version 3, as before DAY: its rules apply again',
  ]),
  state('no file', 404, 3, [
    'warning',
    'robots.txt responds with status 404 (not found): every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'there is a robots.txt again, back to version 3, as before DAY: its rules apply again',
  ]),
  state('an HTML page', '<!doctype html><title>Maintenance</title>', 3, [
    'warning',
    'robots.txt is an HTML page: every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'there is a readable robots.txt again, back to version 3, as before DAY: its rules apply again',
  ]),
  state('an empty file', '', 3, [
    'warning',
    'robots.txt is an empty file: every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'there is a readable robots.txt again, back to version 3, as before DAY: its rules apply again',
  ]),
  state('UTF-16', Buffer.from(`\ufeff${FILE}`, 'utf16le'), 3, [
    'warning',
    'robots.txt is in UTF-16, which no crawler reads: every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'there is a readable robots.txt again, back to version 3, as before DAY: its rules apply again',
  ]),
  state('403', 403, 3, [
    'warning',
    'robots.txt responds with status 403 (forbidden): every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'there is a robots.txt again, back to version 3, as before DAY: its rules apply again',
  ]),
  state('a redirect to an HTML page of another host', { redirect: '/page' }, 3, [
    'warning',
    'robots.txt redirects to OTHER/page, which is an HTML page: every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'there is a readable robots.txt again, back to version 3, as before DAY: its rules apply again',
  ]),
  state('a redirect to the file of another host', { redirect: '/staging' }, 3, [
    'error',
    'robots.txt redirects to OTHER/staging: newly blocked: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly blocked; GPTBot: 2. removed: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'back to version 3, as before DAY: newly allowed: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly allowed; GPTBot: 2. added: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('a rule that the size limit cuts', `${LONG}Disallow: /private\n`, 3, [
    'error',
    'robots.txt is longer than 500 KiB, and is cut in line 20,482 to "Disallow: /": newly blocked: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly blocked; GPTBot: 2. removed: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'back to version 3, as before DAY, the file is not cut any more: newly allowed: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly allowed; GPTBot: 2. added: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('an unresolved merge', `${WITH_SITEMAP}\n<<<<<<< HEAD\n=======\n`, 3, [
    'warning',
    'robots.txt contains merge conflict markers (lines 13 and 14): verdicts are the same',
  ]),
  state('recovery', WITH_SITEMAP, 24, [
    'info',
    'back to version 3, as before DAY, the merge is resolved: verdicts are the same',
  ]),
  state('the file of staging', STAGING, 3, [
    'error',
    'back to version 20, as before DAY: newly blocked: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly blocked; GPTBot: 2. removed: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('its correction', WITH_SITEMAP, 24, [
    'info',
    'back to version 3, as before DAY: newly allowed: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly allowed; GPTBot: 2. added: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('the file of staging again', STAGING, 3, [
    'error',
    'back to version 20, as before DAY: newly blocked: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly blocked; GPTBot: 2. removed: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('its correction', WITH_SITEMAP, 24, [
    'info',
    'back to version 3, as before DAY: newly allowed: / for Googlebot, bingbot and GPTBot. Googlebot and bingbot: 3 of your 5 URLs newly allowed; GPTBot: 2. added: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('too many requests', 429, 3, [
    'error',
    'robots.txt cannot be fetched (status 429): Google treats all URLs as disallowed',
  ]),
  state('recovery with another file', `${WITH_SITEMAP}\nUser-agent: bingbot\nDisallow: /blog\n`, 24, [
    'error',
    'robots.txt is reachable again after N hours: compared with version 3, newly blocked: /blog for bingbot; newly allowed: /cart, /search for bingbot. bingbot: 1 of your 5 URLs newly blocked; bingbot: 2 of your 5 URLs newly allowed',
  ]),
  state(
    'broken connections',
    'reset',
    // The time from the first failure to the check after twelve hours depends on the port.
    18,
    [
      'error',
      'robots.txt cannot be fetched (the server closed the connection without a complete response): Google treats all URLs as disallowed',
    ],
    [
      'warning',
      'robots.txt could not be fetched for N hours (the server closed the connection without a complete response): Google applies the rules of version 31 again',
    ],
  ),
  state('recovery with an old file', FILE, 24, [
    'error',
    'robots.txt is reachable again after N hours, back to version 1, as before DAY: compared with version 31, newly blocked: /cart, /search for bingbot; newly allowed: /blog for bingbot. bingbot: 2 of your 5 URLs newly blocked; bingbot: 1 of your 5 URLs newly allowed. removed: Sitemap: https://shop.example/sitemap.xml',
  ]),
  state('a redirect loop', { redirect: '/robots.txt' }, 3, [
    'warning',
    'robots.txt responds with a redirect loop, back to SITE/robots.txt: every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3',
  ]),
  state('recovery', FILE, 24, [
    'info',
    'there is a robots.txt again, back to version 1, as before DAY: its rules apply again',
  ]),
  state('a refusal of AI training', `${REFUSAL}\n${GPT}`, 3, [
    'info',
    'AI training newly disallowed for Googlebot and bingbot (line 2: Content-Signal: ai-train=no)',
  ]),
  state('the same refusal in two formats', `${TWO_FORMATS}\n${GPT}`, 3, [
    'info',
    'added: content-usage: ai=n; verdicts are the same',
  ]),
  state('a refusal that ends, with new rules', `${RULES}Disallow: /shoes/2\n\n${GPT}`, 3, [
    'warning',
    'newly blocked: /shoes/2 for Googlebot and bingbot. AI training no longer disallowed for Googlebot and bingbot (was line 2: Content-Usage: ai=n)',
  ]),
  state('the refusal again', `${REFUSAL}\n${GPT}`, 3, [
    'info',
    'back to version 36, as before DAY: newly allowed: /shoes/2 for Googlebot and bingbot. AI training newly disallowed for Googlebot and bingbot (line 2: Content-Signal: ai-train=no)',
  ]),
  state('no file', 404, 3, [
    'warning',
    'robots.txt responds with status 404 (not found): every URL is allowed for every crawler. Googlebot and bingbot: 2 of your 5 URLs newly allowed; GPTBot: 3. AI training no longer disallowed for Googlebot and bingbot (was line 2: Content-Signal: ai-train=no)',
  ]),
  state('recovery', `${REFUSAL}\n${GPT}`, 3, [
    'info',
    'there is a robots.txt again, back to version 36, as before DAY: its rules apply again',
  ]),
  state('no refusal', FILE, 3, [
    'info',
    'back to version 1, as before DAY: AI training no longer disallowed for Googlebot and bingbot (was line 2: Content-Signal: ai-train=no)',
  ]),
  state('a comment that changes at each check', { dated: FILE }, 24, [
    'info',
    'formatting only: verdicts are the same',
  ]),
  state(
    'another rule beside such a comment',
    { dated: `${RULES.replace('Disallow: /cart\n', '')}\n${GPT}` },
    24,
    [
      'info',
      'newly allowed: /cart for Googlebot and bingbot. Googlebot and bingbot: 1 of your 5 URLs newly allowed',
    ],
    ['info', 'formatting only: verdicts are the same'],
  ),
  state('the earlier rules with another comment', `# the cart again\n${FILE}`, 24, [
    'info',
    'back to version 1 (same verdicts, other text), as before DAY: newly blocked: /cart for Googlebot and bingbot. Googlebot and bingbot: 1 of your 5 URLs newly blocked',
  ]),
  state('without that comment', FILE, 3, ['info', 'back to version 1, as before DAY: verdicts are the same']),
  state(
    'an outage of 31 days',
    503,
    (31 * DAY) / HOUR,
    ['error', 'robots.txt cannot be fetched (status 503): Google treats all URLs as disallowed'],
    [
      'warning',
      'robots.txt could not be fetched for N hours (status 503): Google applies the rules of version 1 again',
    ],
    [
      'warning',
      'robots.txt could not be fetched for 30 days (status 503): the rest of the site is reachable, so Google allows all URLs',
    ],
  ),
  state('recovery', FILE, 24, [
    'info',
    'robots.txt is reachable again after 31 days, back to version 1, as before DAY: its rules apply again',
  ]),
];

/** Sends a response of the month. @param other - the origin of the other host. */
export function sendMonth(
  response: MonthResponse,
  {
    url = '',
    count,
    other,
  }: { readonly url: string | undefined; readonly count: number; readonly other: string },
  reply: ServerResponse,
): void {
  if (url === '/') reply.end('home');
  else if (url === '/page') reply.end('<!doctype html><title>Moved</title>');
  else if (url === '/staging') reply.end(STAGING);
  else if (response === 'reset') reply.destroy();
  else if (typeof response === 'number') reply.writeHead(response).end();
  else if (typeof response === 'string' || response instanceof Uint8Array) reply.end(response);
  else if ('redirect' in response)
    reply
      .writeHead(302, {
        location: response.redirect === '/robots.txt' ? url : `${other}${response.redirect}`,
      })
      .end();
  else if ('dated' in response) reply.end(`# generated for request ${count}\n${response.dated}`);
  else if (count === 1) reply.writeHead(503).end();
  else reply.end(response.failOnce);
}
