// Pages that tests store in a run without a crawl.
import { LINK_TYPES } from '../../src/audit/run/records/link-list.ts';
import type { StoredFacts, Visit } from '../../src/audit/run/records/page.ts';
import type { Classify, NamedUrl } from '../../src/audit/run/records/url.ts';

/** URLs of the host `out` are out of the scope, and the others wait. */
export const classify: Classify = (url) => ({
  state: url.startsWith('http://out/') ? 'outside' : 'waiting',
});

/** The parts of a visit that differ from those of an HTML page with status 200. */
export interface VisitParts {
  readonly facts?: Partial<StoredFacts>;
  readonly depth?: number | null;
  readonly named?: readonly NamedUrl[];
}

export function createVisit(key: number, { facts, depth = 0, named = [] }: VisitParts = {}): Visit {
  const stored: StoredFacts = {
    ...{ status: 200, type: 'text/html', location: null, base: 'http://a/', title: 'T\0', robots: [] },
    ...{ canonicals: [], alternates: [], seriesLinks: [], refresh: null, isTruncated: false },
    ...facts,
  };
  const outcome = { kind: 'page', facts: stored, digest: 'd' } as const;
  const page = { key, at: 1, milliseconds: 2.5, bytes: 3, outcome };
  return { kind: 'fetched', page, depth, hops: 0, named };
}

/** Creates a link. */
export const link = (url: string, types: number = LINK_TYPES.link, text?: string): NamedUrl => ({
  ...{ url, types },
  ...(text !== undefined && { text }),
});
