// The examples of numbers. Queries return the positions of sites; their hosts, and the URLs that show a class, are read at the end.
import type { Database } from '../../sql/duckdb.ts';
import type { Example, SiteCount, Witness } from '../site-count.ts';

/** A number as a query returns it. */
export interface CountRow {
  readonly count: number;
  /** Of the examples, the first one first. `null` without a row. */
  readonly positions: readonly number[] | null;
}

/** What a number is about. */
export interface CountSubject {
  readonly crawl: number;
  /** The place of the agent. */
  readonly agent?: number;
  /** The notes of the examples. */
  readonly notes?: readonly string[];
}

/** An example whose host is not read yet. */
interface OpenExample {
  readonly examples: Example[];
  readonly crawl: number;
  readonly agent: number;
  readonly position: number;
  readonly note: string | null;
}

/** A site, as the query for examples returns it. */
interface ExampleRow {
  readonly crawl: number;
  readonly agent: number;
  readonly position: number;
  readonly site: string;
  readonly allowedPath: string | null;
  readonly allowedLine: number | null;
  readonly disallowedPath: string | null;
  readonly disallowedLine: number | null;
}

const NO_AGENT = -1;

/** A number without sites. */
export const EMPTY: CountRow = { count: 0, positions: null };

/** Adds numbers of different sites. */
export function addCounts(rows: readonly CountRow[]): CountRow {
  const positions = rows.flatMap((row) => row.positions ?? []);
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    positions: positions.sort((a, b) => a - b),
  };
}

/** Numbers whose examples are read together. */
export class ExamplePool {
  readonly size: number;
  readonly #open: OpenExample[] = [];

  /** @param size - examples of a number. */
  constructor(size: number) {
    this.size = size;
  }

  /** The columns of a {@link CountRow}: the number of rows, and the first of their positions. */
  get columns(): string {
    return `count(*) AS count, ${this.selectPositions()} AS positions`;
  }

  /** Selects the first positions of a group of rows. */
  selectPositions(): string {
    // The function requires at least one.
    return `min(position, ${Math.max(1, this.size)})`;
  }

  /** Returns a number. {@link fill} adds its examples. */
  add({ count, positions }: CountRow, { crawl, agent = NO_AGENT, notes = [] }: CountSubject): SiteCount {
    const examples: Example[] = [];
    for (const [index, position] of (positions ?? []).slice(0, this.size).entries())
      this.#open.push({ examples, crawl, agent, position, note: notes[index] ?? null });
    return { count, examples };
  }

  /** Adds the examples to all numbers. */
  async fill(database: Database, signal?: AbortSignal): Promise<void> {
    const found = new Map<string, ExampleRow>();
    const wanted = [...new Set(this.#open.map(toKey))];
    if (wanted.length === 0) return;
    const rows = await database.select<ExampleRow>(selectExamples(wanted), signal);
    for (const row of rows) found.set(toKey(row), row);
    for (const each of this.#open) {
      const row = found.get(toKey(each));
      if (row !== undefined)
        each.examples.push({ host: row.site, witnesses: toWitnesses(row), note: each.note });
    }
    this.#open.length = 0;
  }
}

function toKey({ crawl, agent, position }: Pick<OpenExample, 'crawl' | 'agent' | 'position'>): string {
  return `${crawl}:${agent}:${position}`;
}

function selectExamples(keys: readonly string[]): string {
  return `WITH
    keys AS (SELECT string_split(unnest(string_split('${keys.join(',')}', ',')), ':') AS key),
    wanted AS MATERIALIZED (
      SELECT key[1]::UTINYINT AS crawl, key[2]::INTEGER AS agent, key[3]::INTEGER AS position FROM keys
    ),
    found AS MATERIALIZED (
      SELECT wanted.*, judged.digest, CASE WHEN agent >= 0 THEN judged.places[agent + 1] END AS place
      FROM wanted
        LEFT JOIN site ON site.crawl = wanted.crawl AND site.position = wanted.position
        LEFT JOIN judged ON judged.crawl = site.crawl AND judged.file = site.file
    ),
    classes AS (
      SELECT crawl, digest, judgements FROM files JOIN crawls USING (census)
      SEMI JOIN (SELECT crawl, digest FROM found WHERE place IS NOT NULL) USING (crawl, digest)
    )
    SELECT found.crawl, found.agent, found.position, names.site, judgement.allowedPath, judgement.allowedLine,
      judgement.disallowedPath, judgement.disallowedLine
    FROM found JOIN names ON names.position = found.position
      LEFT JOIN classes ON classes.crawl = found.crawl AND classes.digest = found.digest
      CROSS JOIN LATERAL (SELECT classes.judgements[found.place] AS judgement)`;
}

/** Returns the URLs that show a class, the disallowed one first. */
function toWitnesses({ allowedPath, allowedLine, disallowedPath, disallowedLine }: ExampleRow): Witness[] {
  const witnesses: Witness[] = [];
  if (disallowedPath !== null)
    witnesses.push({ isAllowed: false, path: disallowedPath, line: disallowedLine ?? 0 });
  if (allowedPath !== null) witnesses.push({ isAllowed: true, path: allowedPath, line: allowedLine ?? 0 });
  return witnesses;
}
