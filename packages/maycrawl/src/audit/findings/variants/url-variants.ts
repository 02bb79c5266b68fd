// Findings about URLs that multiply a site: variants by parameters and in folders, endless series, and pages of a series that name the first
// one as their canonical.
import type { Reason } from '@maycrawl/core/indexability';
import { getPathStart } from '@maycrawl/core/url';
import { formatCount } from '../../../text/counts.ts';
import type { RunPolicies } from '../../judge/run-policies.ts';
import type { Finding } from '../../run/records/finding.ts';
import { unpackReasons } from '../../run/records/reasons.ts';
import type { RunStore } from '../../run/run-store.ts';
import { countPages } from '../site-parts/page-counts.ts';

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
    countsUrls: true,
    example: '?sort: 40 of 121 requests (33 %)',
    source: 'budget',
  },
  'folder-variants': {
    severity: 'info',
    rank: 36,
    one: '1 URL of a folder leads to no page of its own',
    many: '# URLs of folders lead to no pages of their own',
    sentence: 'Belongs to a folder whose URLs lead to no pages of their own',
    cost: 'Each of them costs crawlers a request, which a page of its own could have.',
    action:
      'Link to the pages to which these URLs lead. If crawlers should not request the variants, disallow the folder.',
    decision:
      'The crawler may fetch the URL, which has no parameters. At least nine of ten URLs of its first folder, and at least ten, redirect or name another canonical. The detail is the folder, and the share of all requests. From a fifth of the requests on it is a warning.',
    countsUrls: true,
    example: '/print/: 40 of 121 requests (33 %)',
    source: 'budget',
  },
  'endless-urls': {
    severity: 'warning',
    rank: 137,
    one: '1 URL of an endless series was not requested',
    many: '# URLs of endless series were not requested',
    sentence: 'Belongs to an endless series, and was not requested',
    cost: 'Crawlers request such URLs again and again, and other pages later or never.',
    action:
      'Do not link to them, for example not to empty months of a calendar or to every order of a list, or disallow them.',
    actionForOne: 'Do not link to such URLs, or disallow their pattern.',
    decision:
      'The robots.txt allows the URL. The audit did not request it, because it had requested as many URLs of this shape as --max-alike says, its path repeats a folder more than four times, or it is very long. The detail is the reason.',
    example: '/calendar?month=2093-01',
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

/** URLs with the same parameter or folder, at least, and the share of all requests from which they are a warning. */
const [MIN_URLS, WARNING_SHARE] = [10, 0.2] as const;
/** The share of the URLs of a folder without a page of their own. */
const FOLDER_SHARE = 0.9;
/** Names of parameters and folders that are counted: a hostile site has one for each link. */
const MAX_NAMES = 10_000;

/** Reasons of URLs that lead to no page of their own. Those of a folder with noindex have a finding about noindex. */
const [VARIANTS, FOLDER_VARIANTS]: readonly [readonly Reason[], readonly Reason[]] = [
  ['redirect', 'noindex', 'canonicalised'],
  ['redirect', 'canonicalised'],
];

/** Finds URLs with parameters, and of folders, that lead to no pages of their own. @param agents - number of crawlers. */
export function* findVariants(run: RunStore, agents: number): Generator<VariantFinding> {
  for (let agent = 0; agent < agents; agent++) {
    const { byReason } = countPages(run, agent);
    // Most sites have too few variants: they need no pass over all URLs.
    if (VARIANTS.reduce((sum, reason) => sum + byReason[reason], 0) < MIN_URLS) continue;
    const { requests, counts } = countVariants(run, agent);
    if (counts.size === 0) continue;
    for (const { key, url, reasons } of run.rows.judgedUrlsOf(agent)) {
      const [name, count] = findMost(listVariantNames(url, reasons), counts);
      if (count === 0) continue;
      const share = count / requests;
      const percent = `${Math.floor(100 * share)} %`;
      const detail = `${name}: ${formatCount(count)} of ${formatCount(requests, 'request')} (${percent})`;
      const severity = share >= WARNING_SHARE ? 'warning' : 'info';
      const code = isFolder(name) ? 'folder-variants' : 'parameter-variants';
      yield { code, agent, key, detail, targets: [], severity };
    }
  }
}

/** Counts the URLs that a crawler may fetch, and the variants by parameter and folder: the counts that are findings. */
function countVariants(
  run: RunStore,
  agent: number,
): { readonly requests: number; readonly counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>();
  let requests = 0;
  for (const { url, reasons } of run.rows.judgedUrlsOf(agent)) {
    if (unpackReasons(reasons)[0] === 'blocked') continue;
    requests++;
    for (const name of listVariantNames(url, reasons)) {
      const count = counts.get(name);
      if (count !== undefined || counts.size < MAX_NAMES) counts.set(name, (count ?? 0) + 1);
    }
  }
  for (const [name, count] of counts) if (count < MIN_URLS) counts.delete(name);
  const folders = new Map([...counts.keys()].filter(isFolder).map((name) => [name, 0]));
  if (folders.size > 0) {
    for (const { url } of run.rows.judgedUrlsOf(agent))
      for (const name of listNames(url)) {
        const urls = folders.get(name);
        if (urls !== undefined) folders.set(name, urls + 1);
      }
    for (const [name, urls] of folders)
      if ((counts.get(name) ?? 0) < FOLDER_SHARE * urls) counts.delete(name);
  }
  return { requests, counts };
}

/** The names of a URL under which it is a variant. */
function listVariantNames(url: string, reasons: number): readonly string[] {
  const [primary] = unpackReasons(reasons);
  if (primary === undefined || !VARIANTS.includes(primary)) return [];
  return listNames(url).filter((name) => !isFolder(name) || FOLDER_VARIANTS.includes(primary));
}

/** The parameters of a URL, each of them once, as `?sort`; without any its first folder, as `/print/`. */
function listNames(url: string): readonly string[] {
  const from = url.indexOf('?');
  if (from >= 0) return [...new Set(new URLSearchParams(url.slice(from)).keys())].map((name) => `?${name}`);
  const path = url.slice(getPathStart(url));
  const end = path.indexOf('/', 1);
  return end < 0 ? [] : [path.slice(0, end + 1)];
}

function isFolder(name: string): boolean {
  return name.startsWith('/');
}

/** The name with the most variants. */
function findMost(
  names: readonly string[],
  counts: ReadonlyMap<string, number>,
): readonly [name: string, count: number] {
  return names
    .map((name) => [name, counts.get(name) ?? 0] as const)
    .reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0] as const);
}

/** Finds URLs that the audit did not request because they are endless, and that a crawler may fetch. */
export function* findEndlessUrls(
  run: RunStore,
  policies: RunPolicies,
  agents: number,
): Generator<VariantFinding> {
  for (const { key, url, reason } of run.rows.endlessUrls())
    for (let agent = 0; agent < agents; agent++)
      if (policies.decide(url, agent)?.kind === 'allowed')
        yield { code: 'endless-urls', agent, key, detail: reason, targets: [] };
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
