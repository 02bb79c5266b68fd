// Missing pages: sites that do not respond with status 404 to a URL that does not exist, and pages with status 200 that look like
// such a page.
import { getOrigin } from '@maycrawl/core/url';
import type { RunPolicies } from '../judge/run-policies.ts';
import type { Finding } from '../run/records/finding.ts';
import { MISSING_PAGES, type MissingPage } from '../run/records/site-facts.ts';
import type { RunStore } from '../run/run-store.ts';
import type { FoundPage } from '../run/tables/report-rows.ts';

/** Kinds about missing pages. */
export const SOFT_404_KINDS = {
  'no-not-found-status': {
    severity: 'warning',
    rank: 60,
    about: 'indexing',
    one: '1 site does not respond with status 404 to a URL that does not exist',
    many: '# sites do not respond with status 404 to URLs that do not exist',
    sentence: 'Its site does not respond with status 404 to a URL that does not exist.',
    cost: 'Each outdated or mistyped link is a page of its own, which search engines crawl again and again.',
    action: 'Respond with status 404 or 410 to URLs without content.',
    actionForOne: 'Respond with status 404 or 410 to URLs without content.',
    decision:
      'The audit requested a URL with a random UUID, which does not exist. The response had a status from 200 to 299, or redirected to a page that has status 200 in this run.',
    example: 'GET /maycrawl-6f1c… → 200',
    source: 'soft',
  },
  'soft-404': {
    severity: 'warning',
    rank: 70,
    about: 'indexing',
    one: '1 page with status 200 looks like a page that was not found',
    many: '# pages with status 200 look like pages that were not found',
    sentence: 'Looks like a page that was not found, but has status 200.',
    cost: 'Search engines treat them as missing, and crawl them again and again.',
    action: 'Respond with status 404.',
    decision:
      'The status is 200. The page has the bytes of a page with status 404 or 410, or of the response to a URL that does not exist; or its title and nearly its size; or its title begins with words such as "404" or "Page not found".',
    example: 'GET /old-product → 200, "Page not found"',
    source: 'soft',
  },
} as const;

/** Pages with the same title and a size that differs by less than this share, or number of bytes, are nearly equal. */
const [SIMILAR_SHARE, SIMILAR_BYTES] = [0.05, 64] as const;

type MissingPages = ReadonlyMap<string, MissingPage>;

/** Finds sites that do not respond with status 404, and pages that look like one that was not found. */
export function* findSoft404s(
  run: RunStore,
  policies: RunPolicies,
  agents: number,
): Generator<Finding<keyof typeof SOFT_404_KINDS>> {
  const missing = readMissingPages(run);
  for (let agent = 0; agent < agents; agent++) {
    for (const [origin, page] of missing) {
      const detail = describeResponse(run, page);
      const key = detail === null ? undefined : run.rows.findNearestUrl(origin);
      if (key === undefined || policies.decide(page.url, agent)?.kind !== 'allowed') continue;
      yield { code: 'no-not-found-status', agent, key, detail, targets: [page.url] };
    }
    for (const page of run.rows.foundPages(agent)) {
      const detail = describeContent(page, missing) ?? describeTitle(page.title);
      if (detail !== null) yield { code: 'soft-404', agent, key: page.key, detail, targets: [] };
    }
  }
}

/** Reads the responses of all sites to a URL that does not exist. */
function readMissingPages(run: RunStore): MissingPages {
  const pages = new Map<string, MissingPage>();
  for (const { origin } of run.robots.list()) {
    const page = MISSING_PAGES.get(run, origin);
    if (page !== null) pages.set(origin, page);
  }
  return pages;
}

/** Describes a response that does not say that the URL is missing; `null` for others, such as 404 and 403. */
function describeResponse(run: RunStore, { status, location }: MissingPage): string | null {
  if (status !== null && status >= 200 && status < 300) return `status ${status}`;
  if (status === null || status < 300 || status >= 400 || location === null) return null;
  const key = run.findKey(location);
  const target = key === undefined ? undefined : run.page(key);
  const isFound = target?.outcome.kind === 'page' && target.outcome.facts.status === 200;
  return isFound ? `a redirect to ${location}` : null;
}

/** Describes how the content shows that the page was not found; `null` if it does not. */
function describeContent(page: FoundPage, missing: MissingPages): string | null {
  if (page.isGone === 1) return 'the content of a page that was not found';
  const origin = getOrigin(page.url);
  const other = missing.get(origin);
  // The start page of a site that sends it for every URL is no missing page.
  if (other === undefined || other.location !== null || page.url === `${origin}/`) return null;
  if (page.digest !== null && page.digest === other.digest) return 'the content of a URL that does not exist';
  return isNearlyEqual(page, other) ? 'the title and nearly the size of a URL that does not exist' : null;
}

function isNearlyEqual(page: FoundPage, other: MissingPage): boolean {
  if (!page.title || page.title !== other.title || page.bytes === null || other.bytes === null) return false;
  const difference = Math.abs(page.bytes - other.bytes);
  return difference <= Math.max(SIMILAR_BYTES, SIMILAR_SHARE * other.bytes);
}

/** Describes the title of an error page; `null` for other titles. */
function describeTitle(title: string | null): string | null {
  const isNotFound =
    title !== null && /^\W*(?:(?:error|http)\W*)?404\b|^\W*(?:(?:page|file|url)\s*)?not found\b/i.test(title);
  return isNotFound ? `its title is "${title}"` : null;
}
