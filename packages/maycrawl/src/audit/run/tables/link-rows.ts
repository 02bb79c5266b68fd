/**
 * Links of pages, their texts, and the resources of pages. They are read a page at a time, so memory does not grow with their number.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { LINK_BYTES, toBuffer } from '../records/link-list.ts';
import { NO_TEXT, TEXT_SEPARATOR } from '../records/page-lists.ts';

/** Number of texts that are read with one statement, and of those in the cache. */
const [TEXTS, MAX_KNOWN] = [100, 2_000];

/** The packed links of a page (link-list.ts), and the ids of their texts (page-lists.ts). */
export interface PageLinks {
  readonly key: number;
  readonly links: Buffer;
  readonly texts: Buffer;
}

/** Reads the links of a run. */
export class LinkRows {
  readonly #database: SqliteDatabase;
  /** Texts by id. A full cache is cleared. */
  readonly #texts: Map<number, string> = new Map();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Reads the packed links of a page (link-list.ts). */
  readLinks(key: number): Buffer {
    const row = this.#database.get<{ links: Uint8Array }>('select links from pages where key = ?', key);
    return toBuffer(row?.links ?? new Uint8Array());
  }

  /** Reads the packed links of all pages that have links, in the order of the keys. */
  *readAllLinks(): Generator<{ readonly key: number; readonly links: Buffer }> {
    const rows = this.#database.iterate<{ key: number; links: Uint8Array }>(
      'select key, links from pages where length(links) > 0 order by key',
    );
    for (const { key, links } of rows) yield { key, links: toBuffer(links) };
  }

  /** Counts the links of all pages. */
  countLinks(): number {
    return (
      this.#database.get<{ count: number }>(
        `select coalesce(sum(length(links)), 0) / ${LINK_BYTES} as count from pages`,
      )?.count ?? 0
    );
  }

  /** Iterates over the links of all pages that have any, in the order of the keys. */
  *linksWithTexts(): Generator<PageLinks> {
    const rows = this.#database.iterate<{ key: number; links: Uint8Array; texts: Uint8Array }>(
      'select key, links, texts from pages where length(links) > 0 order by key',
    );
    for (const { key, links, texts } of rows) yield { key, links: toBuffer(links), texts: toBuffer(texts) };
  }

  /** Reads the ids of the texts of the links of a page (page-lists.ts). */
  readTextIds(key: number): Buffer {
    const row = this.#database.get<{ texts: Uint8Array }>('select texts from pages where key = ?', key);
    return toBuffer(row?.texts ?? new Uint8Array());
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
    const rows = this.#database.iterate<{ key: number; resources: Uint8Array }>(
      'select key, resources from pages where length(resources) > 0 order by key',
    );
    for (const { key, resources } of rows) yield { key, resources: toBuffer(resources) };
  }
}
