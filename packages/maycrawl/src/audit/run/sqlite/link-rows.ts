/**
 * Links of pages, their texts, and the resources of pages. They are read a page at a time, so memory does not grow with their number.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { LINK_BYTES, toBuffer } from '../records/link-list.ts';
import { NO_TEXT, TEXT_SEPARATOR } from '../records/page-lists.ts';

/** Number of texts that are read with one statement, and of those in the cache. */
const [TEXTS, MAX_KNOWN] = [100, 2_000];

/** The packed links of a page (link-list.ts), and the ids of their texts (page-lists.ts); `null`: not recorded. */
export interface PageLinks {
  readonly key: number;
  readonly links: Buffer;
  readonly texts: Buffer | null;
}

/** Reads the links of a run. */
export class LinkRows {
  readonly #database: SqliteDatabase;
  #hasTexts: boolean | undefined;
  /** Texts by id. A full cache is cleared. */
  readonly #texts: Map<number, string> = new Map();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Reads the packed links of a page (link-list.ts). */
  readLinks(key: number): Buffer {
    const row = this.#database.get<{ leads: Uint8Array }>('select leads from pages where key = ?', key);
    return toBuffer(row?.leads ?? new Uint8Array());
  }

  /** Reads the packed links of all pages that have links, in the order of the keys. */
  *readAllLinks(): Generator<{ readonly key: number; readonly links: Buffer }> {
    const rows = this.#database.iterate<{ key: number; leads: Uint8Array }>(
      'select key, leads from pages where length(leads) > 0 order by key',
    );
    for (const { key, leads } of rows) yield { key, links: toBuffer(leads) };
  }

  /** Counts the links of all pages. */
  countLinks(): number {
    return (
      this.#database.get<{ count: number }>(
        `select coalesce(sum(length(leads)), 0) / ${LINK_BYTES} as count from pages`,
      )?.count ?? 0
    );
  }

  /** Whether the file can have texts of links and resources of pages. Those of earlier releases have none. */
  get hasTexts(): boolean {
    const find = "select 1 from pragma_table_info('pages') where name = 'texts'";
    this.#hasTexts ??= this.#database.get(find) !== undefined;
    return this.#hasTexts;
  }

  /** Iterates over the links of all pages that have any, in the order of the keys. */
  *linksWithTexts(): Generator<PageLinks> {
    const rows = this.#database.iterate<{ key: number; leads: Uint8Array; texts: Uint8Array | null }>(
      `select key, leads, ${this.hasTexts ? 'texts' : 'null as texts'} from pages where length(leads) > 0 order by key`,
    );
    for (const { key, leads, texts } of rows)
      yield { key, links: toBuffer(leads), texts: texts && toBuffer(texts) };
  }

  /** The ids of the texts of a page; `null`: not recorded. */
  readTextIds(key: number): Buffer | null {
    if (!this.hasTexts) return null;
    const row = this.#database.get<{ texts: Uint8Array | null }>(
      'select texts from pages where key = ?',
      key,
    );
    return row?.texts ? toBuffer(row.texts) : null;
  }

  /** The different texts of a link by id; none for a link without text. */
  readTexts(id: number): string[] {
    if (id === NO_TEXT) return [];
    if (!this.#texts.has(id)) this.#readTextsFrom(id);
    return this.#texts.get(id)?.split(TEXT_SEPARATOR) ?? [];
  }

  /** Reads a text and those that were stored after it, which are on the same pages. */
  #readTextsFrom(id: number): void {
    if (this.#texts.size >= MAX_KNOWN) this.#texts.clear();
    const rows = this.#database.all<{ id: number; text: string }>(
      `select id, text from texts where id >= ? order by id limit ${TEXTS}`,
      id,
    );
    for (const row of rows) this.#texts.set(row.id, row.text);
  }

  /** Iterates over the packed resources of all pages that have any (page-lists.ts), in the order of the keys. */
  *resourcesOfPages(): Generator<{ readonly key: number; readonly resources: Buffer }> {
    if (!this.hasTexts) return;
    const rows = this.#database.iterate<{ key: number; resources: Uint8Array }>(
      'select key, resources from pages where length(resources) > 0 order by key',
    );
    for (const { key, resources } of rows) yield { key, resources: toBuffer(resources) };
  }
}
