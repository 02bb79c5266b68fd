import { describe, expect, test } from 'vitest';
import {
  createPageFacts,
  evaluatePage,
  type FetchOutcome,
  type PageFacts,
  type PageSubject,
  REASONS,
} from '../../src/indexability.ts';

const URL_ = 'https://h.example/page';
const NOW = Date.UTC(2026, 0, 1);

const STATUSES = [200, 204, 206, 301, 302, 307, 304, 401, 403, 404, 410, 429, 451, 500, 503] as const;
/** Values of the X-Robots-Tag header. */
const NOINDEX = {
  absent: [],
  noindex: ['noindex'],
  none: ['none'],
  'own-agent': ['googlebot: noindex'],
  'other-agent': ['bingbot: noindex'],
  'date-in-past': ['unavailable_after: 2025-12-31'],
  'date-in-future': ['unavailable_after: 2026-01-02'],
} as const;
/** Targets of the Link header. */
const CANONICAL = {
  absent: [],
  self: ['/page'],
  other: ['/c'],
  conflict: ['/c', '/d'],
} as const;

function createPage(
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
  return createPageFacts({ url: URL_, status, headers }, null);
}

const known = { url: URL_, sitemaps: [], found: [{ by: 'start' }], depth: 0 } as const;
const allowed = { kind: 'allowed', reason: 'no-group', line: 0 } as const;
const disallowed = { kind: 'disallowed', reason: 'rule', line: 2 } as const;

/** All combinations, compared with an independent implementation of the rules. */
describe.each([
  ['allowed', false],
  ['disallowed', true],
])('crawling is %s', (_name, isBlocked) => {
  const evaluate = (outcome: FetchOutcome | null) => {
    const subject = isBlocked
      ? { crawl: disallowed, outcome }
      : { crawl: allowed, outcome: outcome as FetchOutcome };
    return evaluatePage({ ...known, ...subject } as PageSubject, 'Googlebot', NOW);
  };

  describe.each(STATUSES)('status %i', (status) => {
    describe.each([true, false])('Location header: %s', (isRedirect) => {
      describe.each(Object.keys(NOINDEX) as (keyof typeof NOINDEX)[])('noindex: %s', (noindex) => {
        test.each(Object.keys(CANONICAL) as (keyof typeof CANONICAL)[])('canonical: %s', (canonical) => {
          const facts = createPage(status, isRedirect, noindex, canonical);
          const evidence = evaluate({ kind: 'page', page: facts, redirects: [] });

          const reasons: string[] = [];
          if (status === 301 || status === 302 || status === 307)
            reasons.push(isRedirect ? 'redirect' : 'error');
          if (status === 404 || status === 410) reasons.push('not-found');
          if ([204, 206, 304, 401, 403, 429, 451, 500, 503].includes(status)) reasons.push('error');
          if (['noindex', 'none', 'own-agent', 'date-in-past'].includes(noindex)) reasons.push('noindex');
          if (canonical === 'other') reasons.push('canonicalised');

          if (isBlocked) {
            expect(evidence).toMatchObject({
              verdict: { indexable: false, reason: 'blocked', reasons: ['blocked'] },
              maskedReasons: reasons,
              reachable: { kind: 'unseen' },
              status: { kind: 'unseen' },
              redirects: { kind: 'unseen' },
              noindex: { kind: 'unseen' },
              canonical: { kind: 'unseen' },
            });
            return;
          }
          expect(evidence.verdict).toEqual(
            reasons.length === 0 ? { indexable: true } : { indexable: false, reason: reasons[0], reasons },
          );
          expect(evidence).toMatchObject({
            maskedReasons: [],
            reachable: { kind: 'seen', value: true },
            status: { kind: 'seen', value: status },
            noindex: { kind: 'seen', value: { length: reasons.includes('noindex') ? 1 : 0 } },
            canonical: { kind: 'seen', value: { kind: canonical } },
          });
        });
      });
    });
  });

  test('the fetch fails', () => {
    const evidence = evaluate({ kind: 'failure', detail: 'refused' });
    const reason = isBlocked ? 'blocked' : 'unreachable';
    expect(evidence.verdict).toEqual({ indexable: false, reason, reasons: [reason] });
    expect(evidence.maskedReasons).toEqual(isBlocked ? ['unreachable'] : []);
    expect(evidence.reachable).toEqual(isBlocked ? { kind: 'unseen' } : { kind: 'seen', value: false });
    for (const each of [evidence.status, evidence.redirects, evidence.noindex, evidence.canonical])
      expect(each).toEqual({ kind: 'unseen' });
  });

  test('the page was not fetched', () => {
    if (!isBlocked) expect(() => evaluate(null)).toThrow(TypeError);
    else expect(evaluate(null)).toMatchObject({ verdict: { reason: 'blocked' }, maskedReasons: [] });
  });
});

test('REASONS are in order of precedence', () => {
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

test('the evidence contains the properties of the URL and the source of each fact', () => {
  const facts = createPage(200, false, 'own-agent', 'other');
  const redirects = [{ url: 'https://h.example/old', status: 301, to: URL_ }];
  const sitemaps = ['https://h.example/sitemap.xml'];
  const found = [{ by: 'sitemap', url: 'https://h.example/sitemap.xml' }] as const;
  const subject = { url: URL_, sitemaps, found, depth: null, crawl: allowed } as const;
  const answer = { kind: 'page', page: facts, redirects } as const;
  expect(evaluatePage({ ...subject, outcome: answer }, 'Googlebot', NOW)).toEqual({
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
    maskedReasons: [],
  });
});
