/**
 * Findings about canonicals: statements that are ignored or disagree, and where the canonical of a page leads a crawler.
 *
 * @module
 */

import type { Canonical, CanonicalStatement } from '@maycrawl/core/indexability';
import type { FindingCode } from '../finding-kinds/finding-kinds.ts';
import type { Judged } from '../judge/evidence.ts';
import type { Found } from '../run/records/finding.ts';
import { getHost } from '../run/records/url.ts';
import type { TargetJudge, TargetResult } from './target-judge.ts';

/** Findings by what is at the canonical URL. Redirects have targets of their own. */
const CODES: Readonly<Record<TargetResult['kind'], FindingCode | null>> = {
  indexable: null,
  unknown: 'canonical-to-unknown',
  blocked: 'canonical-to-blocked',
  unreachable: 'canonical-to-error',
  error: 'canonical-to-error',
  redirect: null,
  'not-found': 'canonical-to-error',
  noindex: 'canonical-to-noindex',
  canonicalised: 'canonical-chain',
};

/** Finds what is wrong with the canonicals of a page, if the crawler sees them and the page is not an error or a redirect. */
export function findCanonicalProblems(evidence: Judged, agent: number, targets: TargetJudge): Found[] {
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
  const code = CODES[kind];
  if (isOutside && (kind === 'indexable' || kind === 'unknown'))
    found.push({ code: 'canonical-to-other-site', detail: getHost(url), targets: [url] });
  else if (code !== null) found.push({ code, detail, targets: [url] });
  return found;
}

/** Why the URL at the end of redirects is no canonical; `null` if it can be indexed, or is unknown. Status codes are as in other details. */
const ENDS: Readonly<Record<TargetResult['kind'], string | null>> = {
  ...{ indexable: null, unknown: null, error: 'an error', 'not-found': 'not found' },
  ...{ blocked: 'disallowed by robots.txt', unreachable: 'no response', redirect: 'a loop' },
  ...{ noindex: 'noindex', canonicalised: 'another canonical' },
};

function describeRedirectEnd(urls: readonly string[], agent: number, targets: TargetJudge): string | null {
  const { kind, detail } = targets.judge(urls.at(-1) ?? '', agent);
  const isError = kind === 'error' || kind === 'not-found';
  return isError && detail !== null ? detail : ENDS[kind];
}

/** Finds a statement that has no effect, although it names another URL than those that have one. */
function findIgnored({ statements }: Canonical): Found[] {
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
