/** The titles and severities of events that depend on earlier versions, and on each cause. */
import { GOOGLE } from '@maycrawl/core';
import { expect, test } from 'vitest';
import {
  type CachedResponse,
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from '../../../client/src/robots/history.ts';
import { createFailure, createResponse } from '../../../client/test/support/histories.ts';
import { createOutageReport } from '../../src/reports/policy.ts';
import { type EarlierVersions, NO_VERSIONS } from '../../src/watch/analysis/earlier-versions.ts';
import { getImpact } from '../../src/watch/analysis/impact.ts';
import type { SiteState } from '../../src/watch/analysis/site-state.ts';
import { getPolicyAt } from '../../src/watch/analysis/site-state.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 29);
const ORIGIN = 'https://h.example';

const toState = (history: OriginHistory): SiteState => ({ history, policy: getPolicyAt(history, NOW) });

/** @param response - a file, or the status of a site without one. @param url - the target of a redirect. */
function createState(response: string | Uint8Array | number, url?: string): SiteState {
  const urls = [`${ORIGIN}/robots.txt`, ...(url === undefined ? [] : [url])];
  const absent = { kind: 'unavailable', code: 'http-status', message: `status ${response}` } as const;
  return toState(
    withResponse(
      createResponse(NOW, {
        ...(typeof response === 'number'
          ? { ...absent, bytes: new Uint8Array(), status: response }
          : { bytes: Buffer.from(response) }),
        hops: urls.map((each) => ({ url: each, status: 200 })),
      }),
    ),
  );
}

function createOutage(before: OriginHistory, since: number, message = 'status 503'): SiteState {
  const failed = withFailure(before, createFailure(since, { message }));
  return toState(withFailure(failed, createFailure(NOW, { message })));
}

const SHOP = 'User-agent: *\nDisallow: /cart\n';
const STAGING = 'User-agent: *\nDisallow: /\n';
const options = {
  ...{ origin: ORIGIN, urls: ['/', '/cart/1', '/a', '/b', '/c'], expectations: [] },
  settings: { every: 3_600_000, agents: ['Googlebot', 'GPTBot'], notify: [] },
};
const shop = { number: 3, bytes: Buffer.from(SHOP) };
const earlier = (given: Partial<EarlierVersions>): EarlierVersions => ({
  ...NO_VERSIONS,
  regular: shop,
  ...given,
});
const same = (severity: 'info' | 'error', number = 3): EarlierVersions['same'] => ({
  ...{ number, severity, until: Date.UTC(2026, 10, 22) },
});
const failing = (days: number): Partial<EarlierVersions> => ({ failingSince: NOW - days * DAY });

const GPT = `${SHOP}\nUser-agent: GPTBot\nDisallow: /\n`;

const CASES: readonly (readonly [
  name: string,
  before: SiteState,
  after: SiteState,
  known: EarlierVersions,
  severity: string,
  title: string,
])[] = [
  [
    'a misspelled field',
    createState(SHOP),
    createState(`${SHOP}Disllow: /a\n`),
    NO_VERSIONS,
    'warning',
    '1 line is not understood by any crawler (line 3: "Disllow"): verdicts are the same',
  ],
  [
    'an unresolved merge',
    createState(SHOP),
    createState(`${SHOP}<<<<<<< HEAD\nDisallow: /a\n=======\nDisallow: /a/\n>>>>>>> new\n`),
    NO_VERSIONS,
    'error',
    'robots.txt contains merge conflict markers (lines 3, 5 and 7): newly blocked: /a, /a/ for Googlebot and GPTBot. Googlebot and GPTBot: 1 of your 5 URLs newly blocked',
  ],
  [
    'counts are those of each crawler',
    createState('User-agent: *\nAllow: /\n'),
    createState(GPT),
    NO_VERSIONS,
    'error',
    'newly blocked: /cart for Googlebot; / for GPTBot. Googlebot: 1 of your 5 URLs newly blocked; GPTBot: 5',
  ],
  [
    'a return after 404',
    createState(404),
    createState(SHOP),
    earlier({ same: same('info'), ...failing(7) }),
    'info',
    'there is a robots.txt again, back to version 3, as before November 22: its rules apply again',
  ],
  [
    'a return after 404 to rules that were an error when they were new',
    createState(404),
    createState(SHOP),
    earlier({ same: same('error'), ...failing(7) }),
    'info',
    'there is a robots.txt again, back to version 3, as before November 22: its rules apply again',
  ],
  [
    'a return after a failure of more than thirty days is a change',
    createState(404),
    createState(STAGING),
    earlier({ same: same('info', 1), regular: { number: 1, bytes: Buffer.from(STAGING) }, ...failing(31) }),
    'error',
    'there is a robots.txt again, back to version 1, as before November 22: newly blocked: / for Googlebot and GPTBot. Googlebot and GPTBot: 5 of your 5 URLs newly blocked',
  ],
  [
    'a return to an older version than the one before the failure is compared with that one',
    createState(404),
    createState(STAGING),
    earlier({ same: same('info', 1), ...failing(1) }),
    'error',
    'there is a robots.txt again, back to version 1, as before November 22: compared with version 3, newly blocked: / for Googlebot and GPTBot. Googlebot and GPTBot: 4 of your 5 URLs newly blocked',
  ],
  [
    'the file of staging is an alarm each time',
    createState(SHOP),
    createState(STAGING),
    earlier({ same: same('info', 1) }),
    'error',
    'back to version 1, as before November 22: newly blocked: / for Googlebot and GPTBot. Googlebot and GPTBot: 4 of your 5 URLs newly blocked',
  ],
  [
    'its correction is none',
    createState(STAGING),
    createState(SHOP),
    earlier({ same: same('error') }),
    'info',
    'back to version 3, as before November 22: newly allowed: / for Googlebot and GPTBot. Googlebot and GPTBot: 4 of your 5 URLs newly allowed',
  ],
  [
    'a return by an edit, to rules that were no error when they were new',
    createState('User-agent: *\nDisallow: /search\n'),
    createState(SHOP),
    earlier({ same: same('info') }),
    'info',
    'back to version 3, as before November 22: newly blocked: /cart for Googlebot and GPTBot; newly allowed: /search for Googlebot and GPTBot. Googlebot and GPTBot: 1 of your 5 URLs newly blocked',
  ],
  [
    'a return by an edit, to rules that were an error when they were new',
    createState('User-agent: *\nDisallow: /search\n'),
    createState(SHOP),
    earlier({ same: same('error') }),
    'error',
    'back to version 3, as before November 22: newly blocked: /cart for Googlebot and GPTBot; newly allowed: /search for Googlebot and GPTBot. Googlebot and GPTBot: 1 of your 5 URLs newly blocked',
  ],
  [
    'a return to an HTML page is the same failure again',
    createState(SHOP),
    createState('<html>'),
    earlier({ same: same('info', 2) }),
    'warning',
    'robots.txt is an HTML page: every URL is allowed for every crawler. Googlebot and GPTBot: 1 of your 5 URLs newly allowed',
  ],
  [
    'an HTML page instead of no file',
    createState(404),
    createState('<html>'),
    earlier(failing(1)),
    'warning',
    'robots.txt is an HTML page: verdicts are the same',
  ],
  [
    'the end of an HTML page, with a comment that the file before did not have',
    createState('<html>'),
    createState(`# a\n${SHOP}`),
    earlier(failing(1)),
    'info',
    'there is a readable robots.txt again: compared with version 3, formatting only: verdicts are the same',
  ],
  [
    'UTF-16 without a byte order mark',
    createState(SHOP),
    createState(Buffer.from(SHOP, 'utf16le')),
    NO_VERSIONS,
    'warning',
    'robots.txt is in UTF-16, which no crawler reads: every URL is allowed for every crawler. Googlebot and GPTBot: 1 of your 5 URLs newly allowed',
  ],
  [
    'a redirect to another host',
    createState(SHOP),
    createState(STAGING, 'https://staging.example/robots.txt'),
    NO_VERSIONS,
    'error',
    'robots.txt redirects to https://staging.example/robots.txt: newly blocked: / for Googlebot and GPTBot. Googlebot and GPTBot: 4 of your 5 URLs newly blocked',
  ],
  [
    'a redirect on the same host is no cause',
    createState(SHOP),
    createState(`${SHOP}# a\n`, `${ORIGIN}/moved`),
    NO_VERSIONS,
    'info',
    'formatting only: verdicts are the same',
  ],
  [
    'a 404 of a site without rules changes no verdict',
    createState('# nothing\n'),
    createState(404),
    NO_VERSIONS,
    'info',
    'robots.txt responds with status 404 (not found): verdicts are the same',
  ],
  [
    'rules without an effect',
    createState(SHOP),
    createState(`${SHOP}Disallow: private\n`),
    NO_VERSIONS,
    'warning',
    '1 rule has no effect (line 3: "private"): verdicts are the same',
  ],
  [
    'an outage',
    createState(SHOP),
    createOutage(createState(SHOP).history, NOW - 120_000, 'ECONNREFUSED: connect'),
    earlier({}),
    'error',
    'robots.txt cannot be fetched (the connection is refused): Google treats all URLs as disallowed',
  ],
  [
    'an outage of a site without an earlier file',
    createOutage(NO_HISTORY, NOW - 3_600_000),
    createOutage(NO_HISTORY, NOW - 13 * 3_600_000),
    NO_VERSIONS,
    'warning',
    'robots.txt could not be fetched for 13 hours (status 503): there is no earlier file, so Google allows all URLs',
  ],
];

test.each(CASES)('%s', (_name, before, after, known, severity, title) => {
  const impact = getImpact(before, after, options, NOW, known);
  expect({ severity: impact?.severity, title: impact?.title }).toEqual({ severity, title });
});

test('the phases of an outage count from the first failure that the outage policy counts', () => {
  const HOUR = 3_600_000;
  const refusal = { code: 'private-address', status: null, message: 'not a public address' } as const;
  const before = createState(SHOP);
  const response = { ...(before.history.response as CachedResponse), fetchedAt: NOW - DAY };
  const failures = [
    createFailure(NOW - 20 * HOUR, refusal),
    ...[NOW - HOUR, NOW].map((at) => createFailure(at)),
  ];
  const history = failures.reduce(withFailure, withResponse(response));
  const impact = getImpact(before, toState(history), options, NOW, earlier({}));
  expect(impact?.text).toContain('The first failed request was on November 28, 04:00 UTC');
  expect(impact?.text).toContain('If it continues, from November 29, 11:00 UTC (after 12 hours): ');
  expect(impact?.text).toContain('If it continues, from December 28, 23:00 UTC (after 30 days): ');
  expect(createOutageReport(history, { profile: GOOGLE, now: NOW })).toMatchObject({
    since: '2026-11-28T23:00:00.000Z',
    nextPhaseAt: '2026-11-29T11:00:00.000Z',
  });
  expect(createOutageReport(history)).toMatchObject({ since: '2026-11-28T04:00:00.000Z', nextPhaseAt: null });
});

test('the text about a misspelled field is that of the linter', () => {
  const after = `${SHOP}Disllow: /a\n`;
  const impact = getImpact(createState(SHOP), createState(after), options, NOW);
  expect(impact?.text).toContain(
    'To do: correct line 3: "Disllow" is not a field name, so crawlers ignore the line. Did you mean "Disallow"?',
  );
});
