// The findings of a run in its file (findings/).

import type { SqliteDatabase } from '@maycrawl/client/internal';
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import type { Finding, FindingQuery } from '../records/finding.ts';
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

/** Verdicts with their pages. `reason` is the primary one; `null`: the URL can be indexed. */
const JUDGED = `create temp view if not exists judged as
  select verdicts.key, agent, status, title, digest, facts, hops, depth,
    case ${REASONS.map((each) => `when reasons & ${bit(each)} then '${each}'`).join(' ')} end as reason,
    masked_reasons & ${bit('noindex')} <> 0 as hides_noindex,
    ${IS_HTML} as is_html, ${IS_SERVER_FAILURE} as is_server_failure, depth < ${NO_DEPTH} as is_linked,
    verdicts.key in (select key from sitemap_entries) as is_listed
  from verdicts left join pages on pages.key = verdicts.key left join urls on urls.key = verdicts.key`;

/** A row of the table with the URL. */
interface FindingRow {
  readonly code: string;
  readonly agent: number;
  readonly key: number;
  readonly url: string;
  readonly detail: string | null;
  readonly targets: string;
}

export interface UrlFinding extends Finding {
  readonly url: string;
}

/** The number of findings of a kind for a crawler. */
export interface FindingCount {
  readonly code: string;
  readonly agent: number;
  readonly count: number;
}

/** The number of findings of a kind with the same detail. */
export interface DetailCount {
  readonly detail: string | null;
  readonly count: number;
}

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

  /** Adds the findings of a kind that follow from verdicts and pages. */
  addByQuery(code: string, { detail = 'null', where }: FindingQuery): void {
    this.#database.exec(JUDGED);
    this.#database.run(
      `insert or ignore into findings
       select '${code}', agent, key, substr(${detail}, 1, ${MAX_DETAIL}), '[]' from judged where ${where}`,
    );
  }

  /** Counts findings by kind and crawler. */
  count(): FindingCount[] {
    return this.#database.all('select code, agent, count(*) as count from findings group by code, agent');
  }

  /** Counts the findings of a kind for a crawler by detail, the most frequent first. */
  countDetails(code: string, agent: number): DetailCount[] {
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
  *list(code: string, agent: number, detail?: string | null): Generator<UrlFinding> {
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
  urlsWith(codes: readonly string[]): Generator<{ readonly url: string; readonly agent: number }> {
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
