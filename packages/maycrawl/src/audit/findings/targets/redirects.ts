// Findings about redirects: where each of them leads a crawler.

import { formatCount } from '../../../text/counts.ts';
import type { Judged } from '../../judge/evidence.ts';
import type { Found } from '../../run/records/finding.ts';
import { getHost } from '../../run/records/url.ts';
import { findKindOfEnd, type TargetJudge } from './target-judge.ts';

/** Kinds about redirects. */
export const REDIRECT_KINDS = {
  'redirect-loop': {
    severity: 'error',
    rank: 70,
    one: '1 redirect leads into a loop',
    many: '# redirects lead into a loop',
    sentence: 'Redirects into a loop.',
    cost: 'Visitors and crawlers never reach a page.',
    action: 'Let one URL of the loop respond with a page, and redirect the others to it.',
    decision: 'A URL occurs twice in the chain of redirects.',
    example: '/a → /b → /a',
    source: 'redirects',
    end: ['redirect'],
  },
  'redirect-to-error': {
    severity: 'error',
    rank: 80,
    one: '1 redirect leads to an error',
    many: '# redirects lead to an error',
    sentence: 'Redirects to an error.',
    cost: 'Visitors of the old URL are lost, and its links count for nothing.',
    action: 'Redirect to a URL that responds with status 200.',
    decision:
      'The URL at the end of the redirects has an error status or no response. The detail says which.',
    example: '/old → /new → 404',
    source: 'redirects',
    end: ['unreachable', 'error', 'not-found'],
  },
  'redirect-to-blocked': {
    severity: 'error',
    rank: 90,
    one: '1 redirect leads to a URL that robots.txt disallows',
    many: '# redirects lead to URLs that robots.txt disallows',
    sentence: 'Redirects to a URL that robots.txt disallows.',
    cost: 'The crawler may not follow, so neither URL is indexed with its content.',
    action: 'Allow the target, or redirect to another URL.',
    decision: 'The robots.txt of its site disallows the URL at the end of the redirects to the crawler.',
    example: '/old → /private/new, Disallow: /private/',
    source: 'robots',
    end: ['blocked'],
  },
  'redirect-to-noindex': {
    severity: 'warning',
    rank: 90,
    about: 'indexing',
    one: '1 redirect leads to a page with noindex',
    many: '# redirects lead to pages with noindex',
    sentence: 'Redirects to a page with noindex.',
    cost: 'Neither URL is indexed.',
    action: 'If the content should be found, redirect to a page that can be indexed.',
    decision: 'The page at the end of the redirects has a noindex that applies to the crawler.',
    example: '/old → /new, which has noindex',
    source: 'redirects',
    end: ['noindex'],
  },
  'redirect-to-canonicalised': {
    severity: 'warning',
    rank: 100,
    about: 'indexing',
    one: '1 redirect leads to a page that names another canonical',
    many: '# redirects lead to pages that name another canonical',
    sentence: 'Redirects to a page that names another canonical.',
    cost: 'Redirect and canonical contradict each other.',
    action: 'Redirect to the canonical URL.',
    decision: 'The page at the end of the redirects names another URL as its canonical.',
    example: '/old → /new, which names /final',
    source: 'canonical',
    end: ['canonicalised'],
  },
  'redirect-chain': {
    severity: 'warning',
    rank: 110,
    one: '1 URL redirects more than once',
    many: '# URLs redirect more than once',
    sentence: 'Redirects more than once.',
    cost: 'Each step costs time, and crawlers stop after some of them.',
    action: 'Let links and redirects lead to the final URL.',
    decision: 'There are at least two redirects before the end.',
    example: '/a → /b → /c',
    source: 'redirects',
  },
  'redirect-to-other-site': {
    severity: 'info',
    rank: 50,
    one: '1 redirect leaves the scope of the audit',
    many: '# redirects leave the scope of the audit',
    sentence: 'Redirects to a URL that is out of the scope of the audit.',
    cost: 'None, if it is intended.',
    action: 'Check that the other site is the right one.',
    decision:
      'The URL at the end of the redirects is outside the scope of the audit, and is indexable or was not fetched. The detail is its host.',
    example: '/shop → https://shop.example/',
    source: 'redirects',
  },
  'redirect-to-unknown': {
    severity: 'info',
    rank: 60,
    one: '1 redirect leads to a URL that was not fetched',
    many: '# redirects lead to URLs that were not fetched',
    sentence: 'Redirects to a URL that was not fetched.',
    cost: 'Whether the target can be indexed is unknown.',
    action: 'Continue the audit, or raise its limits.',
    decision:
      'The run does not contain a response of the URL at the end of the redirects, for example because of --max-pages.',
    example: '/old → /new, which is waiting',
    source: 'redirects',
    end: ['unknown'],
  },
} as const;

type RedirectFound = Found<keyof typeof REDIRECT_KINDS>;

/** Finds what is wrong with the redirects from a URL, if the crawler sees any. */
export function findRedirectProblems(evidence: Judged, agent: number, targets: TargetJudge): RedirectFound[] {
  const chain = evidence.redirects.kind === 'seen' ? evidence.redirects.value : [];
  const urls = chain.flatMap(({ to }) => to ?? []);
  const end = urls.at(-1);
  if (end === undefined) return [];
  const steps = formatCount(chain.length, 'redirect');
  if (chain.some(({ url }) => url === end)) return [{ code: 'redirect-loop', detail: steps, targets: urls }];
  const { kind, detail, isOutside } = targets.judge(end, agent);
  const found: RedirectFound[] = [];
  if (chain.length > 1) found.push({ code: 'redirect-chain', detail: steps, targets: urls });
  // A `redirect` is one that the run did not follow to its end.
  const code = findKindOfEnd(REDIRECT_KINDS, kind);
  if (isOutside && (kind === 'indexable' || kind === 'unknown'))
    found.push({ code: 'redirect-to-other-site', detail: getHost(end), targets: urls });
  else if (code !== undefined) found.push({ code, detail, targets: urls });
  return found;
}
