/** The titles and severities of events that depend on earlier versions, and on each cause. */
import { GOOGLE } from '@maycrawl/core';
import { describe, expect, test } from 'vitest';
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
import { getImpact } from '../../src/watch/analysis/impact/impact.ts';
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
    '1 line is not understood by any crawler (line 3: "Disllow"): added: disllow: /a; verdicts are the same',
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
    'robots.txt cannot be fetched (the server refuses connections on this port): Google treats all URLs as disallowed',
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
  expect(impact?.text).not.toBe('');
});

describe('a return to an earlier version that has another text', () => {
  const before = createState('User-agent: *\nDisallow: /search\n');
  const similar = (file: string, severity: 'info' | 'error' = 'info'): Partial<EarlierVersions> => ({
    similar: [
      { number: 2, severity: 'error', until: NOW, bytes: Buffer.from(STAGING) },
      { number: 1, severity, until: Date.UTC(2026, 10, 22), bytes: Buffer.from(file) },
    ],
  });
  const getReturn = (after: string, known: Partial<EarlierVersions>, given: typeof options = options) =>
    getImpact(before, createState(after), given, NOW, earlier(known));

  test('is information, because its verdicts are proved to be the same', () => {
    expect(
      getReturn(`# 29 November\nuser-agent: *\nDisallow: /cart$\nDisallow: /cart\n`, similar(SHOP)),
    ).toMatchObject({
      kind: 'restored',
      severity: 'info',
      title:
        'back to version 1 (same verdicts, other text), as before November 22: newly blocked: /cart$, /cart for Googlebot and GPTBot; newly allowed: /search for Googlebot and GPTBot. Googlebot and GPTBot: 1 of your 5 URLs newly blocked',
      text: expect.stringContaining('it is proved that every URL has the same verdict'),
      details: { sameAs: 1, sameBy: 'proof' },
    });
  });

  test('is as severe as its effect if that was an error when the version was new', () => {
    expect(getReturn(`# again\n${SHOP}`, similar(SHOP, 'error'))).toMatchObject({
      severity: 'error',
      title: expect.stringMatching(
        /^back to version 1 \(same verdicts, other text\), as before November 22: /,
      ),
    });
  });

  test.each([
    ['one URL has another verdict', `${SHOP}Allow: /cart/help\n`, SHOP],
    ['a crawler that is not the owner’s has other rules', `${SHOP}\nUser-agent: bingbot\nAllow: /\n`, SHOP],
    ['a declaration about the use of content differs', SHOP, `${SHOP}Content-Signal: ai-train=no\n`],
    ['the earlier version was no file with rules', SHOP, `<html>\n${SHOP}`],
  ])('is not recognized if %s', (_name, after, earlierFile) => {
    const impact = getReturn(after, similar(earlierFile));
    expect(impact).toMatchObject({
      severity: 'error',
      title: expect.stringMatching(/^newly blocked: \/cart/),
    });
    expect(impact?.details).not.toHaveProperty('sameAs');
  });

  test('is not recognized if the proof is undecided', () => {
    const rules = Array.from(
      { length: 6_000 },
      (_, index) => `Disallow: /*a${index % 89}*b${index}*c\n`,
    ).join('');
    const hard = `User-agent: *\n${rules}`;
    const impact = getReturn(`# a\n${hard}`, similar(hard));
    expect(impact?.details).not.toHaveProperty('sameAs');
  });

  test('keeps lines that no crawler understands as a warning', () => {
    const file = `${SHOP}=======\n`;
    expect(getReturn(file, similar(SHOP))).toMatchObject({
      severity: 'error',
      title: expect.stringContaining('1 line is not understood by any crawler'),
    });
  });

  test('names its sitemaps if they differ', () => {
    expect(getReturn(`${SHOP}Sitemap: https://h.example/s.xml\n`, similar(SHOP))).toMatchObject({
      severity: 'info',
      title: expect.stringMatching(/newly blocked\. added: Sitemap: https:\/\/h\.example\/s\.xml$/),
    });
  });
});

describe('changes without an effect on verdicts', () => {
  const getChange = (before: string, after: string, known: EarlierVersions = NO_VERSIONS) =>
    getImpact(createState(before), createState(after), options, NOW, known);

  test('formatting only has its lines as evidence', () => {
    expect(getChange(`# 10:00\n${SHOP}`, `# 11:00\n${SHOP}`)).toMatchObject({
      kind: 'formatting',
      text: 'line 1: "# 10:00" is "# 11:00" now',
    });
    expect(getChange(SHOP, `# a\n${SHOP}# b\n`)?.text).toBe(
      'removed, line 1: "User-agent: *"\nremoved, line 2: "Disallow: /cart"\nadded, line 1: "# a"\nadded, line 2: "User-agent: *"\nadded, line 3: "Disallow: /cart"\nadded, line 4: "# b"',
    );
    expect(getChange(SHOP, SHOP.replaceAll('\n', '\r\n'))?.text).toBe(
      'only line ends or the byte order mark differ',
    );
  });

  test('a comment that changes back is formatting only, too', () => {
    expect(getChange(`# a\n${SHOP}`, SHOP, earlier({ same: same('info') }))).toMatchObject({
      kind: 'formatting',
      title: 'back to version 3, as before November 22: verdicts are the same',
    });
  });

  test('the end of lines that are not understood is an event of its own', () => {
    expect(getChange(`${SHOP}<<<<<<< HEAD\n`, `# a\n${SHOP}`)).toMatchObject({
      kind: 'text-fixed',
      severity: 'info',
      title: 'the merge is resolved: formatting only: verdicts are the same',
    });
  });

  test('a changed sitemap stays in the title beside a cause', () => {
    expect(getChange(SHOP, `${SHOP}=======\nSitemap: https://h.example/s.xml\n`)).toMatchObject({
      kind: 'not-understood',
      title:
        '1 line is not understood by any crawler (line 3: "======="): added: Sitemap: https://h.example/s.xml; verdicts are the same',
    });
  });
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
