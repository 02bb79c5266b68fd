// Links of pages, their texts, and the resources of pages. They are read a page at a time, so memory does not grow with their number.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { LINK_BYTES, toBuffer } from '../records/link-list.ts';
import { NO_TEXT, TEXT_SEPARATOR } from '../records/page-lists.ts';
import { readCount } from './rows.ts';

/** Number of texts that are read with one statement, and of those in the cache. */
const [TEXTS, MAX_CACHED] = [100, 2_000];

/** The packed links of a page (link-list.ts), and the ids of their texts (page-lists.ts). */
export interface PageLinks {
  readonly key: number;
  readonly links: Buffer;
  readonly texts: Buffer;
}

/** The packed lists of a page: its links (link-list.ts), the ids of their texts, and its resources (page-lists.ts). */
type ListName = 'links' | 'texts' | 'resources';

export class LinkRows {
  readonly #database: SqliteDatabase;
  /** Texts by id. A full cache is cleared. */
  readonly #texts: Map<number, string> = new Map();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Reads a list of a page; empty if it has none. */
  readList(key: number, name: ListName): Buffer {
    const text = `select ${name} as list from pages where key = ?`;
    return toBuffer(this.#database.get<{ list: Uint8Array }>(text, key)?.list ?? new Uint8Array());
  }

  /** Iterates over the lists of all pages that are not empty, in the order of the keys. */
  *allLists(name: ListName): Generator<{ readonly key: number; readonly list: Buffer }> {
    const text = `select key, ${name} as list from pages where length(${name}) > 0 order by key`;
    for (const { key, list } of this.#database.iterate<{ key: number; list: Uint8Array }>(text))
      yield { key, list: toBuffer(list) };
  }

  countLinks(): number {
    const text = `select coalesce(sum(length(links)), 0) / ${LINK_BYTES} as count from pages`;
    return readCount(this.#database, text);
  }

  /** Iterates over the links of all pages that have any, in the order of the keys. */
  *linksWithTexts(): Generator<PageLinks> {
    const rows = this.#database.iterate<{ key: number; links: Uint8Array; texts: Uint8Array }>(
      'select key, links, texts from pages where length(links) > 0 order by key',
    );
    for (const { key, links, texts } of rows) yield { key, links: toBuffer(links), texts: toBuffer(texts) };
  }

  /** The different texts of a link by id; none for a link without text. */
  readTexts(id: number): string[] {
    if (id === NO_TEXT) return [];
    if (!this.#texts.has(id)) this.#readTextsFrom(id);
    return this.#texts.get(id)?.split(TEXT_SEPARATOR) ?? [];
  }

  /** Reads a text and those that were stored after it, which are on the same pages. */
  #readTextsFrom(id: number): void {
    if (this.#texts.size >= MAX_CACHED) this.#texts.clear();
    const rows = this.#database.all<{ id: number; text: string }>(
      `select id, text from texts where id >= ? order by id limit ${TEXTS}`,
      id,
    );
    for (const row of rows) this.#texts.set(row.id, row.text);
  }
}
