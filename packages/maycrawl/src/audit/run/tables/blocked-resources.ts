// The resources of pages that robots.txt disallows. A page has a list of all its resources (page-lists.ts), and this table has those that
// are blocked: a row for each page and blocked resource would double the size of a run.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { toBuffer } from '../records/link-list.ts';
import { getKindBit, visitResources } from '../records/page-lists.ts';

/** The findings about blocked resources, and the kinds of resources of each. */
export const RESOURCE_FINDINGS: Readonly<Record<'blocked-resource' | 'blocked-image', number>> = {
  'blocked-resource': getKindBit('script') | getKindBit('style'),
  'blocked-image': getKindBit('image'),
};

/** Number of cached resources. */
const MAX_CACHED = 50_000;

/** A resource that at least one crawler may not fetch. */
export interface BlockedResource {
  readonly id: number;
  readonly url: string;
  /** For each crawler that may not fetch it, by its index: the line of the robots.txt. */
  readonly lines: ReadonlyMap<number, number>;
}

/** The id of a resource that a crawler may not fetch. */
interface BlockedId {
  readonly id: number;
  /** Index of the crawler. */
  readonly agent: number;
  /** Of the robots.txt. */
  readonly line: number;
}

/** A resource of a page. */
export interface BlockedUse {
  readonly resource: BlockedResource;
  /** The sum of the bits of its kinds (page-lists.ts). */
  readonly kinds: number;
}

export class BlockedResources {
  readonly #database: SqliteDatabase;
  readonly #cache: Map<number, BlockedResource | null> = new Map();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  clear(): void {
    this.#cache.clear();
    this.#database.run('delete from blocked_resources');
  }

  /** Adds resources that a crawler may not fetch, in one transaction. */
  add(resources: Iterable<BlockedId>): void {
    this.#cache.clear();
    this.#database.transaction(() => {
      for (const { id, agent, line } of resources)
        this.#database.run('insert into blocked_resources values (?, ?, ?)', id, agent, line);
    });
  }

  /** Whether a run has none. */
  get isEmpty(): boolean {
    return this.#database.get('select 1 from blocked_resources limit 1') === undefined;
  }

  /** Returns the blocked resources of a page, in their order. @param key - of the page. */
  findOn(key: number): BlockedUse[] {
    const find = 'select resources from pages where key = ?';
    const row = this.#database.get<{ resources: Uint8Array }>(find, key);
    const uses: BlockedUse[] = [];
    visitResources(toBuffer(row?.resources ?? new Uint8Array()), (id, kinds) => {
      const resource = this.#find(id);
      if (resource !== null) uses.push({ resource, kinds });
    });
    return uses;
  }

  /** Returns the URLs of the resources of a page that a finding is about. */
  findUrls(key: number, agent: number, code: keyof typeof RESOURCE_FINDINGS): string[] {
    return this.findOn(key)
      .filter(({ resource, kinds }) => (kinds & RESOURCE_FINDINGS[code]) !== 0 && resource.lines.has(agent))
      .map(({ resource }) => resource.url);
  }

  #find(id: number): BlockedResource | null {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const rows = this.#database.all<{ agent: number; line: number; url: string }>(
      `select agent, line, text as url from blocked_resources join resources on resources.id = resource
       where resource = ?`,
      id,
    );
    const [first] = rows;
    const lines = new Map(rows.map(({ agent, line }) => [agent, line]));
    const resource = first === undefined ? null : { id, url: first.url, lines };
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(id, resource);
    return resource;
  }
}
