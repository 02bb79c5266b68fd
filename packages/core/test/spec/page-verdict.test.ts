import { describe, expect, test } from 'vitest';
import {
  type Answer,
  describePage,
  judgePage,
  type PageFacts,
  REASONS,
  type Subject,
} from '../../src/page.ts';

const PAGE_URL = 'https://h.example/page';
const NOW = Date.UTC(2026, 0, 1);

const STATUSES = [200, 204, 206, 301, 302, 307, 304, 401, 403, 404, 410, 429, 451, 500, 503] as const;
/** Header lines that affect indexing. */
const NOINDEX = {
  nothing: [],
  noindex: ['noindex'],
  none: ['none'],
  own: ['googlebot: noindex'],
  others: ['bingbot: noindex'],
  passed: ['unavailable_after: 2025-12-31'],
  coming: ['unavailable_after: 2026-01-02'],
} as const;
const CANONICAL = {
  absent: [],
  self: ['/page'],
  other: ['/c'],
  conflict: ['/c', '/d'],
} as const;

function page(
  status: number,
  isRedirect: boolean,
  noindex: keyof typeof NOINDEX,
  canonical: keyof typeof CANONICAL,
): PageFacts {
  const headers: [string, string][] = [
    ...NOINDEX[noindex].map((value): [string, string] => ['X-Robots-Tag', value]),
    ...CANONICAL[canonical].map((target): [string, string] => ['Link', `<${target}>; rel=canonical`]),
  ];
  if (isRedirect) headers.push(['Location', '/to']);
  return describePage({ url: PAGE_URL, status, headers }, null);
}

const context = { url: PAGE_URL, sitemaps: [], found: [{ by: 'start' }], depth: 0 } as const;
const allowed = { kind: 'allowed', because: 'no-group', line: 0 } as const;
const disallowed = { kind: 'disallowed', because: 'rule', line: 2 } as const;

/** All combinations, checked against expectations written case by case. */
describe.each([
  ['allowed', false],
  ['disallowed', true],
])('the robots.txt verdict is "%s"', (_name, isBlocked) => {
  const judge = (answer: Answer | null) => {
    const subject = isBlocked ? { crawl: disallowed, answer } : { crawl: allowed, answer: answer as Answer };
    return judgePage({ ...context, ...subject } as Subject, 'Googlebot', NOW);
  };

  describe.each(STATUSES)('status %i', (status) => {
    describe.each([true, false])('with a Location header: %s', (isRedirect) => {
      describe.each(Object.keys(NOINDEX) as (keyof typeof NOINDEX)[])('noindex: %s', (noindex) => {
        test.each(Object.keys(CANONICAL) as (keyof typeof CANONICAL)[])('canonical: %s', (canonical) => {
          const facts = page(status, isRedirect, noindex, canonical);
          const evidence = judge({ kind: 'page', page: facts, redirects: [] });

          const expected: string[] = [];
          if (status === 301 || status === 302 || status === 307)
            expected.push(isRedirect ? 'redirect' : 'error');
          if (status === 404 || status === 410) expected.push('not-found');
          if ([204, 206, 304, 401, 403, 429, 451, 500, 503].includes(status)) expected.push('error');
          if (['noindex', 'none', 'own', 'passed'].includes(noindex)) expected.push('noindex');
          if (canonical === 'other') expected.push('canonicalised');

          if (isBlocked) {
            expect(evidence).toMatchObject({
              verdict: { indexable: false, reason: 'blocked', reasons: ['blocked'] },
              hidden: expected,
              reachable: { kind: 'unseen' },
              status: { kind: 'unseen' },
              redirects: { kind: 'unseen' },
              noindex: { kind: 'unseen' },
              canonical: { kind: 'unseen' },
            });
            return;
          }
          expect(evidence.verdict).toEqual(
            expected.length === 0
              ? { indexable: true }
              : { indexable: false, reason: expected[0], reasons: expected },
          );
          expect(evidence).toMatchObject({
            hidden: [],
            reachable: { kind: 'seen', value: true },
            status: { kind: 'seen', value: status },
            noindex: { kind: 'seen', value: { length: expected.includes('noindex') ? 1 : 0 } },
            canonical: { kind: 'seen', value: { kind: canonical } },
          });
        });
      });
    });
  });

  test('a failed fetch', () => {
    const evidence = judge({ kind: 'failure', detail: 'refused' });
    const reason = isBlocked ? 'blocked' : 'unreachable';
    expect(evidence.verdict).toEqual({ indexable: false, reason, reasons: [reason] });
    expect(evidence.hidden).toEqual(isBlocked ? ['unreachable'] : []);
    expect(evidence.reachable).toEqual(isBlocked ? { kind: 'unseen' } : { kind: 'seen', value: false });
    for (const each of [evidence.status, evidence.redirects, evidence.noindex, evidence.canonical])
      expect(each).toEqual({ kind: 'unseen' });
  });

  test('a URL that was not fetched', () => {
    if (!isBlocked) expect(() => judge(null)).toThrow(TypeError);
    else expect(judge(null)).toMatchObject({ verdict: { reason: 'blocked' }, hidden: [] });
  });
});

test('REASONS is in order of priority', () => {
  expect(REASONS).toEqual([
    'blocked',
    'unreachable',
    'error',
    'redirect',
    'not-found',
    'noindex',
    'canonicalised',
  ]);
});

test('the evidence contains the context of the URL and the sources of all facts', () => {
  const facts = page(200, false, 'own', 'other');
  const redirects = [{ url: 'https://h.example/old', status: 301, to: PAGE_URL }];
  const sitemaps = ['https://h.example/sitemap.xml'];
  const found = [{ by: 'sitemap', url: 'https://h.example/sitemap.xml' }] as const;
  const subject = { url: PAGE_URL, sitemaps, found, depth: null, crawl: allowed } as const;
  const answer = { kind: 'page', page: facts, redirects } as const;
  expect(judgePage({ ...subject, answer }, 'Googlebot', NOW)).toEqual({
    ...subject,
    reachable: { kind: 'seen', value: true },
    status: { kind: 'seen', value: 200 },
    redirects: { kind: 'seen', value: redirects },
    noindex: {
      kind: 'seen',
      value: [
        {
          directive: { kind: 'noindex', text: 'noindex' },
          statement: {
            from: 'header',
            agent: 'googlebot',
            text: 'googlebot: noindex',
            directives: [{ kind: 'noindex', text: 'noindex' }],
          },
        },
      ],
    },
    canonical: {
      kind: 'seen',
      value: { kind: 'other', url: 'https://h.example/c', statements: facts.canonicals },
    },
    verdict: { indexable: false, reason: 'noindex', reasons: ['noindex', 'canonicalised'] },
    hidden: [],
  });
});
