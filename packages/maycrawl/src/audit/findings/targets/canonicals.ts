// Findings about canonicals: statements that are ignored or disagree, and where the canonical of a page leads a crawler.

import type { Canonical, CanonicalStatement } from '@maycrawl/core/indexability';
import { REASON_TEXTS } from '../../../text/reasons.ts';
import type { Judged } from '../../judge/evidence.ts';
import type { Found } from '../../run/records/finding.ts';
import { getHost } from '../../run/records/url.ts';
import { findKindOfEnd, type TargetJudge } from './target-judge.ts';

/** Kinds about canonicals. */
export const CANONICAL_KINDS = {
  'canonical-ignored': {
    severity: 'error',
    rank: 100,
    about: 'indexing',
    one: '1 canonical is ignored',
    many: '# canonicals are ignored',
    sentence: 'Has a canonical that is ignored.',
    cost: 'Search engines select a canonical URL themselves.',
    action: 'Name one absolute http or https URL in a link element in the head, or in a Link header.',
    decision:
      'A canonical link has no effect, and names another URL than those that have one: it is not an http or https URL, outside the head, empty, or has hreflang, lang, media or type. The detail is the reason.',
    example: '<link rel="canonical" href="file:///C:/site/index.html">',
    source: 'canonical',
  },
  'canonical-conflict': {
    severity: 'error',
    rank: 110,
    about: 'indexing',
    one: '1 page names several different canonicals',
    many: '# pages name several different canonicals',
    sentence: 'Names several different canonicals.',
    cost: 'Search engines ignore all of them.',
    action: 'Keep one of them.',
    decision:
      'The canonical links of the page, in the head and in Link headers, name at least two different URLs.',
    example: '<link rel="canonical" href="/a"> and Link: </b>; rel="canonical"',
    source: 'mistakes',
  },
  'canonical-to-error': {
    severity: 'error',
    rank: 120,
    about: 'indexing',
    one: '1 canonical URL responds with an error',
    many: '# canonical URLs respond with an error',
    sentence: 'Its canonical URL responds with an error.',
    cost: 'The page gives up its place in the index to a URL that cannot be indexed.',
    action: 'Name a URL that responds with status 200, usually that of the page itself.',
    decision: 'The canonical URL has an error status or no response. The detail says which.',
    example: '/red-shoes names /shoes → 404',
    source: 'mistakes',
    end: ['unreachable', 'error', 'not-found'],
  },
  'canonical-to-blocked': {
    severity: 'error',
    rank: 130,
    about: 'indexing',
    one: '1 canonical URL is disallowed by robots.txt',
    many: '# canonical URLs are disallowed by robots.txt',
    sentence: 'Its canonical URL is disallowed by robots.txt.',
    cost: 'The crawler cannot read the page that it should index instead.',
    action: 'Allow the canonical URL, or name another one.',
    decision: 'The robots.txt of its site disallows the canonical URL to the crawler.',
    example: '/red-shoes names /private/shoes, Disallow: /private/',
    source: 'canonical',
    end: ['blocked'],
  },
  'canonical-to-noindex': {
    severity: 'error',
    rank: 140,
    about: 'indexing',
    one: '1 canonical URL has noindex',
    many: '# canonical URLs have noindex',
    sentence: 'Its canonical URL has noindex.',
    cost: 'Neither page is indexed.',
    action: 'Remove the noindex of the canonical page, or name another one.',
    decision: 'The canonical page has a noindex that applies to the crawler.',
    example: '/red-shoes names /shoes, which has noindex',
    source: 'canonical',
    end: ['noindex'],
  },
  'canonical-to-redirect': {
    severity: 'warning',
    rank: 120,
    about: 'indexing',
    one: '1 canonical redirects',
    many: '# canonicals redirect',
    sentence: 'Its canonical redirects.',
    cost: 'Canonical and redirect contradict each other.',
    action: 'Name the URL at the end of the redirects, if it can be indexed.',
    decision:
      'The canonical URL redirects. The detail is why the URL at the end of the redirects cannot be indexed, if it cannot.',
    example: '/red-shoes names /shoes → 301',
    source: 'canonical',
  },
  'canonical-chain': {
    severity: 'warning',
    rank: 130,
    about: 'indexing',
    one: '1 canonical names another canonical',
    many: '# canonicals name other canonicals',
    sentence: 'Its canonical names another canonical.',
    cost: 'Search engines may ignore both statements.',
    action: 'Name the last URL of the chain. If it is a loop, let one of its pages name itself.',
    decision:
      'The canonical page names another URL as its canonical. The targets are the steps of the chain, up to ten, and the last one is the URL to use. The detail is why that URL cannot be indexed, if it cannot.',
    example: '/a names /b, which names /c',
    source: 'canonical',
  },
  'canonical-to-other-site': {
    severity: 'info',
    rank: 70,
    about: 'indexing',
    one: '1 canonical is outside the scope of the audit',
    many: '# canonicals are outside the scope of the audit',
    sentence: 'Its canonical is out of the scope of the audit.',
    cost: 'The other site appears in the index instead of this one.',
    action: 'Check that this is intended, as for content that the other site published first.',
    decision:
      'The canonical URL is outside the scope of the audit, and is indexable or was not fetched. The detail is its host.',
    example: '/article names https://magazine.example/article',
    source: 'canonical',
  },
  'canonical-to-unknown': {
    severity: 'info',
    rank: 80,
    about: 'indexing',
    one: '1 canonical was not fetched',
    many: '# canonicals were not fetched',
    sentence: 'Its canonical was not fetched.',
    cost: 'Whether the canonical URL can be indexed is unknown.',
    action: 'Continue the audit, or raise its limits.',
    decision: 'The run does not contain a response of the canonical URL, for example because of --max-pages.',
    example: '/red-shoes names /shoes, which is waiting',
    source: 'canonical',
    end: ['unknown'],
  },
} as const;

type CanonicalFound = Found<keyof typeof CANONICAL_KINDS>;

/** Finds what is wrong with the canonicals of a page, if the crawler sees them and the page is not an error or a redirect. */
export function findCanonicalProblems(
  evidence: Judged,
  agent: number,
  targets: TargetJudge,
): CanonicalFound[] {
  const { canonical, status } = evidence;
  if (canonical.kind !== 'seen' || status.kind !== 'seen' || status.value !== 200) return [];
  const found = findIgnored(canonical.value);
  if (canonical.value.kind === 'conflict')
    found.push({ code: 'canonical-conflict', detail: null, targets: canonical.value.urls });
  if (canonical.value.kind !== 'other') return found;
  const { url } = canonical.value;
  const { kind, detail, isOutside, redirects } = targets.judge(url, agent);
  if (kind === 'redirect') {
    const end = describeRedirectEnd([url, ...redirects], agent, targets);
    return [...found, { code: 'canonical-to-redirect', detail: end, targets: [url, ...redirects] }];
  }
  if (kind === 'canonicalised') return [...found, findChain(url, agent, targets)];
  const code = findKindOfEnd(CANONICAL_KINDS, kind);
  if (isOutside && (kind === 'indexable' || kind === 'unknown'))
    found.push({ code: 'canonical-to-other-site', detail: getHost(url), targets: [url] });
  else if (code !== undefined) found.push({ code, detail, targets: [url] });
  return found;
}

/** Steps of a chain of canonicals that are followed. */
const MAX_CHAIN = 10;

/** Follows a canonical to the last one. */
function findChain(url: string, agent: number, targets: TargetJudge): CanonicalFound {
  const chain = [url];
  for (let at = targets.judge(url, agent); at.kind === 'canonicalised' && at.canonical !== null; ) {
    const isLoop = chain.includes(at.canonical);
    chain.push(at.canonical);
    if (isLoop) return { code: 'canonical-chain', detail: 'a loop', targets: chain };
    if (chain.length === MAX_CHAIN) break;
    at = targets.judge(at.canonical, agent);
  }
  return { code: 'canonical-chain', detail: describeRedirectEnd(chain, agent, targets), targets: chain };
}

/** Why the URL at the end of redirects is no canonical; `null` if it can be indexed, or is unknown. Status codes are as in other details. */
function describeRedirectEnd(urls: readonly string[], agent: number, targets: TargetJudge): string | null {
  const { kind, detail } = targets.judge(urls.at(-1) ?? '', agent);
  if (kind === 'indexable' || kind === 'unknown') return null;
  const isError = kind === 'error' || kind === 'not-found';
  return isError && detail !== null ? detail : REASON_TEXTS[kind].end;
}

/** Finds a statement that has no effect, although it names another URL than those that have one. */
function findIgnored({ statements }: Canonical): CanonicalFound[] {
  const counted = new Set(
    statements.flatMap(({ url, ignored }) => (ignored === null && url !== null ? url : [])),
  );
  const lost = statements.find(({ url, ignored }) => ignored !== null && (url === null || !counted.has(url)));
  if (lost === undefined) return [];
  return [
    {
      code: 'canonical-ignored',
      detail: describeIgnored(lost),
      targets: lost.url === null ? [] : [lost.url],
    },
  ];
}

const REASONS: Readonly<Record<NonNullable<CanonicalStatement['ignored']>, string>> = {
  'in-body': 'in the body',
  hreflang: 'with hreflang',
  lang: 'with lang',
  media: 'with media',
  type: 'with type',
  anchor: 'about another page',
  empty: 'empty',
  'invalid-url': 'not a URL',
};

/** Describes why a statement does not count, in a few words. */
export function describeIgnored({ ignored, href }: CanonicalStatement): string {
  const scheme = /^\s*([a-z][a-z\d+.-]{0,20}):/i.exec(href)?.[1]?.toLowerCase();
  const isOtherScheme = scheme !== undefined && scheme !== 'http' && scheme !== 'https';
  if (ignored === 'invalid-url' && isOtherScheme) return `${scheme}: address`;
  return REASONS[ignored ?? 'invalid-url'];
}
