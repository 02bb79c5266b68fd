/**
 * The findings of a run in its file (finding-kinds/). Those that follow from verdicts and pages alone are inserted by statements
 * over all rows.
 *
 * @module
 */

import type { SqliteDatabase } from '@maycrawl/client/database';
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/text';
import type { FindingCode } from '../../finding-kinds/finding-kinds.ts';
import type { Finding } from '../records/finding.ts';
import { IS_SERVER_FAILURE } from '../records/server-failure.ts';
import type { BlockedResources } from './blocked-resources.ts';
import { IS_HTML } from './report-rows.ts';
import { NO_DEPTH } from './rows.ts';

/** Maximum number of characters of a detail: a hostile title has megabytes. */
const MAX_DETAIL = 300;
/** Maximum number of targets, and of characters of each, which are those of a stored URL: a hostile page names 100,000 canonicals. */
const [MAX_TARGETS, MAX_TARGET_CHARS] = [20, 8_193];

/** The bit of a reason in a sum of reasons. */
const bit = (reason: Reason): number => 1 << REASONS.indexOf(reason);
/** The condition that a reason is the primary one of a verdict. */
const isPrimary = (reason: Reason): string => `reasons & ${2 * bit(reason) - 1} = ${bit(reason)}`;
/** The name of the primary reason of a verdict. */
const PRIMARY_REASON = `case ${REASONS.map((each) => `when reasons & ${bit(each)} then '${each}'`).join(' ')} end`;
const IS_LISTED = 'key in (select key from sitemap_entries)';
const VERDICTS = 'verdicts join pages using (key)';

/** Findings that follow from verdicts and pages: detail, tables and condition of each. */
const DERIVED: readonly (readonly [code: FindingCode, detail: string, tables: string, condition: string])[] =
  [
    ['server-error', 'status', VERDICTS, `${isPrimary('error')} and ${IS_SERVER_FAILURE}`],
    [
      'access-denied',
      'status',
      VERDICTS,
      `${isPrimary('error')} and status in (401, 403) and key in (select key from urls where depth < ${NO_DEPTH})`,
    ],
    ['redirect-without-target', 'status', VERDICTS, `${isPrimary('error')} and status between 300 and 399`],
    ['no-response', "json_extract(facts, '$.code')", VERDICTS, isPrimary('unreachable')],
    [
      'broken-link',
      'status',
      `${VERDICTS} join urls using (key)`,
      `${isPrimary('not-found')} and depth between 1 and ${NO_DEPTH - 1} and hops = 0`,
    ],
    ['listed-not-indexable', PRIMARY_REASON, 'verdicts', `reasons <> 0 and ${IS_LISTED}`],
    ['hidden-noindex', 'null', 'verdicts', `masked_reasons & ${bit('noindex')} <> 0`],
    ['missing-title', 'null', VERDICTS, `reasons = 0 and ${IS_HTML} and coalesce(title, '') = ''`],
    [
      'duplicate-title',
      `substr(title, 1, ${MAX_DETAIL})`,
      VERDICTS,
      createSharedCondition('title', "title <> ''"),
    ],
    ['duplicate-content', 'digest', VERDICTS, createSharedCondition('digest', 'digest is not null')],
  ];

/** Findings of complete runs only, because an unfetched page or sitemap could make them wrong. */
const DERIVED_IF_COMPLETE: typeof DERIVED = [
  [
    'not-listed',
    'null',
    VERDICTS,
    `reasons = 0 and ${IS_HTML} and not ${IS_LISTED} and exists (select 1 from sitemap_entries)`,
  ],
];

/** The condition that several indexable pages have the same value in a column. */
function createSharedCondition(column: string, isPresent: string): string {
  return `reasons = 0 and ${IS_HTML} and ${isPresent} and (agent, ${column}) in
    (select agent, ${column} from ${VERDICTS} where reasons = 0 and ${IS_HTML} and ${isPresent}
     group by agent, ${column} having count(*) > 1)`;
}

/** A row of the table with the URL. */
interface FindingRow {
  readonly code: FindingCode;
  readonly agent: number;
  readonly key: number;
  readonly url: string;
  readonly detail: string | null;
  readonly targets: string;
}

/** A finding with its URL. */
export interface UrlFinding extends Finding {
  readonly url: string;
}

/** The number of findings of a kind for a crawler. */
export interface FindingCount {
  readonly code: FindingCode;
  readonly agent: number;
  readonly count: number;
}

/** The number of findings of a kind with the same detail. */
export interface DetailCount {
  readonly detail: string | null;
  readonly count: number;
}

/** Writes and reads findings. */
export class FindingTable {
  readonly #database: SqliteDatabase;
  readonly #blocked: BlockedResources;

  constructor(database: SqliteDatabase, blocked: BlockedResources) {
    this.#database = database;
    this.#blocked = blocked;
  }

  clear(): void {
    this.#database.run('delete from findings');
  }

  /** Adds findings in one transaction. */
  add(findings: Iterable<Finding>): void {
    this.#database.transaction(() => {
      for (const { code, agent, key, detail, targets } of findings)
        this.#database.run(
          'insert or ignore into findings values (?, ?, ?, ?, ?)',
          code,
          agent,
          key,
          detail === null ? null : truncate(detail, MAX_DETAIL),
          JSON.stringify(targets.slice(0, MAX_TARGETS).map((url) => truncate(url, MAX_TARGET_CHARS, ''))),
        );
    });
  }

  /** Adds the findings that follow from verdicts and pages. */
  addDerived(isComplete: boolean): void {
    const derived = [...DERIVED, ...(isComplete ? DERIVED_IF_COMPLETE : [])];
    this.#database.transaction(() => {
      for (const [code, detail, tables, condition] of derived)
        this.#database.run(
          `insert or ignore into findings select '${code}', agent, key, ${detail}, '[]' from ${tables} where ${condition}`,
        );
    });
  }

  /** Counts findings by kind and crawler. */
  count(): FindingCount[] {
    return this.#database.all('select code, agent, count(*) as count from findings group by code, agent');
  }

  /** Counts the findings of a kind for a crawler by detail, the most frequent first. */
  countDetails(code: FindingCode, agent: number): DetailCount[] {
    return this.#database.all(
      'select detail, count(*) as count from findings where code = ? and agent = ? group by detail order by count desc, detail',
      code,
      agent,
    );
  }

  /** Whether two crawlers have the same findings. */
  areEqual(agent: number, other: number): boolean {
    const columns = 'code, key, detail, targets';
    const isMissing = `exists (select ${columns} from findings where agent = ? except select ${columns} from findings where agent = ?)`;
    const row = this.#database.get<{ differ: number }>(
      `select ${isMissing} or ${isMissing} as differ`,
      agent,
      other,
      other,
      agent,
    );
    return row?.differ === 0;
  }

  /**
   * Iterates over the findings of a kind for a crawler, in the order of detail and URL.
   *
   * @param detail - only those with this detail. @defaultValue all
   */
  *list(code: FindingCode, agent: number, detail?: string | null): Generator<UrlFinding> {
    const condition = detail === undefined ? '' : 'and detail is ?';
    for (const row of this.#database.iterate<FindingRow>(
      `select findings.*, url from findings join urls using (key)
       where code = ? and agent = ? ${condition} order by detail, url`,
      code,
      agent,
      ...(detail === undefined ? [] : [detail]),
    ))
      yield this.#toFinding(row);
  }

  /** Iterates over the URLs and crawlers that have a finding of one of the kinds. */
  urlsWith(codes: readonly FindingCode[]): Generator<{ readonly url: string; readonly agent: number }> {
    const names = codes.map((code) => `'${code}'`).join();
    return this.#database.iterate(
      `select distinct url, agent from findings join urls using (key) where code in (${names})`,
    );
  }

  /** Iterates over the keys of the URLs that have findings. */
  keys(): Generator<{ readonly key: number }> {
    return this.#database.iterate('select distinct key from findings');
  }

  /** Returns the findings about a URL for a crawler. */
  ofUrl(key: number, agent: number): UrlFinding[] {
    return this.#database
      .all<FindingRow>(
        'select findings.*, url from findings join urls using (key) where key = ? and agent = ?',
        key,
        agent,
      )
      .map((row) => this.#toFinding(row));
  }

  #toFinding({ code, agent, key, url, detail, targets }: FindingRow): UrlFinding {
    const isAboutResources = code === 'blocked-resource' || code === 'blocked-image';
    return {
      ...{ code, agent, key, url, detail },
      targets: isAboutResources
        ? this.#blocked.findUrls(key, agent, code).slice(0, MAX_TARGETS)
        : (JSON.parse(targets) as string[]),
    };
  }
}
