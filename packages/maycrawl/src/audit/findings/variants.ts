// Findings about URLs that multiply a site: variants by parameters, and pages of a series that name the first one as their canonical.

import { formatCount } from '../../text/counts.ts';
import type { Finding } from '../run/records/finding.ts';
import { unpackReasons } from '../run/records/reasons.ts';
import type { RunStore } from '../run/run-store.ts';

/** Kinds about variants of pages. */
export const VARIANT_KINDS = {
  'parameter-variants': {
    severity: 'info',
    rank: 35,
    one: '1 URL with a parameter leads to no page of its own',
    many: '# URLs with parameters lead to no pages of their own',
    sentence: 'Has a parameter, and leads to no page of its own',
    cost: 'Each of them costs crawlers a request, which a page of its own could have.',
    action:
      'Link to the URLs without the parameter. If crawlers should not request the variants, disallow the parameter.',
    actionForOne:
      'Link to it without the parameter. If crawlers should not request it, disallow the parameter.',
    decision:
      'The crawler may fetch the URL. It has a parameter with which at least ten URLs redirect, have noindex, or name another canonical. The detail is the parameter, and the share of all requests. From a fifth of the requests on it is a warning.',
    example: '?sort: 40 of 121 requests (33 %)',
    source: 'budget',
  },
  'page-of-series-canonicalised': {
    severity: 'warning',
    rank: 135,
    about: 'indexing',
    one: '1 page of a series names the first page as its canonical',
    many: '# pages of series name the first pages as their canonicals',
    sentence: 'Is a page of a series, and names the first page as its canonical.',
    cost: 'Search engines leave the page out, and may not find what only it links to.',
    action: 'Let each page of a series name itself as its canonical.',
    decision:
      'The canonical of the page is the same URL without the number of the page: ?page=2, ?p=2, ?paged=2, ?start=20, ?offset=20 or /page/2/.',
    example: '/blog/?page=2 names /blog/',
    source: 'pagination',
  },
} as const;

type VariantFinding = Finding<keyof typeof VARIANT_KINDS>;

/** URLs with the same parameter, at least, and the share of all requests from which they are a warning. */
const [MIN_URLS, WARNING_SHARE] = [10, 0.2] as const;
/** Names of parameters that are counted: a hostile site has one for each link. */
const MAX_NAMES = 10_000;

/** Reasons of URLs that lead to no page of their own. */
const VARIANTS: readonly string[] = ['redirect', 'noindex', 'canonicalised'];

/** Finds URLs with parameters that lead to no pages of their own. @param agents - number of crawlers. */
export function* findParameterVariants(run: RunStore, agents: number): Generator<VariantFinding> {
  for (let agent = 0; agent < agents; agent++) {
    const { requests, counts } = countVariants(run, agent);
    if (![...counts.values()].some((count) => count >= MIN_URLS)) continue;
    for (const { key, url, reasons } of run.rows.judgedUrlsOf(agent)) {
      if (!isVariant(reasons)) continue;
      const [name, count] = findMost(listParameters(url), counts);
      if (count < MIN_URLS) continue;
      const share = count / requests;
      const percent = `${Math.floor(100 * share)} %`;
      const detail = `?${name}: ${formatCount(count)} of ${formatCount(requests, 'request')} (${percent})`;
      const severity = share >= WARNING_SHARE ? 'warning' : 'info';
      yield { code: 'parameter-variants', agent, key, detail, targets: [], severity };
    }
  }
}

/** Counts the URLs that a crawler may fetch, and the variants by parameter. */
function countVariants(
  run: RunStore,
  agent: number,
): { readonly requests: number; readonly counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  let requests = 0;
  for (const { url, reasons } of run.rows.judgedUrlsOf(agent)) {
    if (unpackReasons(reasons)[0] === 'blocked') continue;
    requests++;
    if (!isVariant(reasons)) continue;
    for (const name of listParameters(url)) {
      const count = counts.get(name);
      if (count !== undefined || counts.size < MAX_NAMES) counts.set(name, (count ?? 0) + 1);
    }
  }
  return { requests, counts };
}

function isVariant(reasons: number): boolean {
  const [primary] = unpackReasons(reasons);
  return primary !== undefined && VARIANTS.includes(primary);
}

/** The names of the parameters of a URL, each of them once. */
function listParameters(url: string): string[] {
  const from = url.indexOf('?');
  if (from < 0) return [];
  return [...new Set(new URLSearchParams(url.slice(from)).keys())];
}

/** The parameter with the most URLs. */
function findMost(
  names: readonly string[],
  counts: ReadonlyMap<string, number>,
): readonly [name: string, count: number] {
  return names
    .map((name) => [name, counts.get(name) ?? 0] as const)
    .reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0] as const);
}

/** Names of parameters with the number of a page, or of its first entry. */
const PAGE_PARAMETERS: readonly string[] = ['page', 'p', 'paged', 'start', 'offset'];

/** Whether a URL is that of a page of a series, and another one that of the series. */
export function isPageOfSeries(url: string, series: string): boolean {
  const [page, first] = [new URL(url), new URL(series)];
  for (const name of PAGE_PARAMETERS)
    if (/^\d{1,9}$/.test(page.searchParams.get(name) ?? '')) page.searchParams.delete(name);
  page.pathname = page.pathname.replace(/\/page\/\d{1,9}\/?$/, '/');
  return url !== series && page.href !== url && page.href === first.href;
}
