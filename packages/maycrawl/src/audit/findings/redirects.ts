/**
 * Findings about redirects: where each of them leads a crawler.
 *
 * @module
 */

import { formatCount } from '../../text/counts.ts';
import type { FindingCode } from '../finding-kinds/finding-kinds.ts';
import type { Judged } from '../judge/evidence.ts';
import type { Found } from '../run/records/finding.ts';
import { getHost } from '../run/records/url.ts';
import type { TargetJudge, TargetResult } from './target-judge.ts';

/** Findings by what is at the end of the redirects. A `redirect` is one that the run did not follow to its end. */
const CODES: Readonly<Record<TargetResult['kind'], FindingCode | null>> = {
  indexable: null,
  unknown: 'redirect-to-unknown',
  blocked: 'redirect-to-blocked',
  unreachable: 'redirect-to-error',
  error: 'redirect-to-error',
  redirect: 'redirect-loop',
  'not-found': 'redirect-to-error',
  noindex: 'redirect-to-noindex',
  canonicalised: 'redirect-to-canonicalised',
};

/** Finds what is wrong with the redirects from a URL, if the crawler sees any. */
export function findRedirectProblems(evidence: Judged, agent: number, targets: TargetJudge): Found[] {
  const chain = evidence.redirects.kind === 'seen' ? evidence.redirects.value : [];
  const urls = chain.flatMap(({ to }) => to ?? []);
  const end = urls.at(-1);
  if (end === undefined) return [];
  const steps = formatCount(chain.length, 'redirect');
  if (chain.some(({ url }) => url === end)) return [{ code: 'redirect-loop', detail: steps, targets: urls }];
  const { kind, detail, isOutside } = targets.judge(end, agent);
  const found: Found[] = [];
  if (chain.length > 1) found.push({ code: 'redirect-chain', detail: steps, targets: urls });
  const code = CODES[kind];
  if (isOutside && (kind === 'indexable' || kind === 'unknown'))
    found.push({ code: 'redirect-to-other-site', detail: getHost(end), targets: urls });
  else if (code !== null) found.push({ code, detail, targets: urls });
  return found;
}
