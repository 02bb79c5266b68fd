// Scripts, stylesheets and images of pages as links, with the responses that the run knows.
import { RESOURCE_KINDS, type ResourceKind } from '@maycrawl/core/indexability';
import { getKindBit, visitResources } from '../run/records/page-lists.ts';
import type { RunStore } from '../run/run-store.ts';
import { hasStatus, type TargetStatus, type TargetStatuses } from './target-statuses.ts';
import type { LinkSelection, UrlLink } from './url-link.ts';

/** Number of rows of one query. */
const CHUNK = 1_000;

/** A resource, and its response. */
export interface RespondedResource extends TargetStatus {
  readonly url: string;
}

/** Finds the resources whose responses have one of some statuses, by their ids. */
export function findResources(
  run: RunStore,
  responses: TargetStatuses,
  isFound: (response: TargetStatus, url: string) => boolean,
): Map<number, RespondedResource> {
  const found = new Map<number, RespondedResource>();
  for (let after = 0; ; ) {
    const resources = run.resources(after, CHUNK);
    for (const { id, url } of resources) {
      after = id;
      const response = responses.ofUrl(url);
      if (isFound(response, url)) found.set(id, { url, ...response });
    }
    if (resources.length < CHUNK) return found;
  }
}

/** Finds the uses of resources by pages, in the order of the keys of the pages. */
export function* findResourceLinks(
  run: RunStore,
  responses: TargetStatuses,
  { from, to, statuses = [] }: LinkSelection,
): Generator<UrlLink> {
  const target = to === undefined ? undefined : run.url(to)?.url;
  const found = findResources(
    run,
    responses,
    (response, url) => hasStatus(response, statuses) && (target === undefined || target === url),
  );
  if (found.size === 0) return;
  const pages =
    from === undefined
      ? run.rows.links.allLists('resources')
      : [{ key: from, list: run.rows.links.readList(from, 'resources') }];
  for (const { key, list } of pages) {
    const links: Omit<UrlLink, 'from'>[] = [];
    visitResources(list, (id, kinds) => {
      const resource = found.get(id);
      if (resource === undefined) return;
      const { url, status, failure } = resource;
      links.push({ to: url, types: listKinds(kinds), texts: [], followed: [], status, failure });
    });
    const page = links.length === 0 ? '' : (run.url(key)?.url ?? '');
    for (const link of links) yield { from: page, ...link };
  }
}

function listKinds(kinds: number): ResourceKind[] {
  return RESOURCE_KINDS.filter((kind) => (kinds & getKindBit(kind)) !== 0);
}
