// Findings about URLs that pages name and the crawl does not fetch: links to other sites, and scripts, stylesheets and images.
import { findResources, type RespondedResource } from '../links/resource-links.ts';
import { isBroken, TargetStatuses } from '../links/target-statuses.ts';
import type { Finding } from '../run/records/finding.ts';
import { visitResources } from '../run/records/page-lists.ts';
import type { RunStore } from '../run/run-store.ts';

/** Kinds about such URLs. */
export const BROKEN_URL_KINDS = {
  'broken-external-link': {
    severity: 'warning',
    rank: 52,
    one: '1 link to another site is broken',
    many: '# links to other sites are broken',
    sentence: 'Pages link to it, but it does not exist or does not respond.',
    cost: 'The links lead visitors nowhere.',
    action: 'Correct or remove the links.',
    decision:
      'The audit checks links to other sites (--external), and the last response of the URL, after its redirects, was 404, 410 or a server error, or there was none. 401, 403, 429 and other statuses are not counted: many sites send them to programs only. The detail is the status, or the code of the failure.',
    example: '<a href="https://other.example/old"> → 404',
    source: 'errors',
    isAboutLinks: true,
  },
  'broken-resource': {
    severity: 'warning',
    rank: 54,
    one: '1 page uses scripts, stylesheets or images that do not exist',
    many: '# pages use scripts, stylesheets or images that do not exist',
    sentence: 'Uses scripts, stylesheets or images that do not exist:',
    cost: 'Visitors and crawlers see the page without them.',
    action: 'Correct their URLs, or remove them from the pages.',
    actionForOne: 'Correct their URLs, or remove them.',
    decision:
      'The page names a file whose status is 404, 410 or a server error, or that does not respond. The run knows that of files that --external checks, that --render loads, and to which pages link. The detail has the statuses.',
    example: 'src="/logo.png" of an image → 404',
    source: 'errors',
  },
} as const;

type Found = Finding<keyof typeof BROKEN_URL_KINDS>;

/** Finds the links to other sites that are broken, from the results of their check. */
export function* findBrokenLinks(run: RunStore, agents: number): Generator<Found> {
  for (const { url, status, code } of run.checks.list()) {
    const key = isBroken({ status, failure: code }) ? run.findKey(url) : undefined;
    // Files that only pages load have no key. Those of the site itself are findings of their pages.
    if (key === undefined || run.url(key)?.state !== 'outside') continue;
    const detail = status === null ? code : String(status);
    for (let agent = 0; agent < agents; agent++)
      yield { code: 'broken-external-link', agent, key, detail, targets: [] };
  }
}

/** Finds the pages that use broken scripts, stylesheets and images, for the crawlers that may fetch the page. */
export function* findBrokenResources(run: RunStore, agents: number): Generator<Found> {
  const broken = findResources(run, new TargetStatuses(run), isBroken);
  if (broken.size === 0) return;
  for (const { key, list } of run.rows.links.allLists('resources')) {
    const used: RespondedResource[] = [];
    visitResources(list, (id) => {
      const resource = broken.get(id);
      if (resource !== undefined) used.push(resource);
    });
    if (used.length === 0) continue;
    const statuses = used.map(({ status, failure }) => (status === null ? (failure ?? '') : String(status)));
    const detail = [...new Set(statuses)].sort().join(', ');
    const targets = used.map(({ url }) => url);
    for (let agent = 0; agent < agents; agent++)
      if (run.verdicts.get(key, agent)?.isAllowed === true)
        yield { code: 'broken-resource', agent, key, detail, targets };
  }
}
