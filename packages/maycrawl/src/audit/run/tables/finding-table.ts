// The findings of a run in its file (findings/).

import type { SqliteDatabase } from '@maycrawl/client/internal';
import type { Severity } from '@maycrawl/core';
import { REASONS } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import { SEVERITIES } from '../../../reports/severities.ts';
import type { Finding, FindingQuery } from '../records/finding.ts';
import { packReasons } from '../records/reasons.ts';
import type { BlockedResources } from './blocked-resources.ts';
import { IS_HTML } from './report-rows.ts';

/** Maximum number of characters of a detail: a hostile title has megabytes. */
const MAX_DETAIL = 300;
/** Maximum number of targets, and of characters of each, which are those of a stored URL: a hostile page names 100,000 canonicals. */
const [MAX_TARGETS, MAX_TARGET_CHARS] = [20, 8_193];

/** Verdicts with their pages. `reason` is the primary one; `null`: the URL can be indexed. */
const JUDGED = `create temp view if not exists judged as
  select verdicts.key, agent, status, title, digest, facts, hops, depth,
    case ${REASONS.map((each) => `when reasons & ${packReasons([each])} then '${each}'`).join(' ')} end as reason,
    masked_reasons & ${packReasons(['noindex'])} <> 0 as hides_noindex,
    ${IS_HTML} as is_html, verdicts.key in (select key from links_to) as is_linked,
    verdicts.key in (select key from sitemap_entries) as is_listed
  from verdicts left join pages on pages.key = verdicts.key left join urls on urls.key = verdicts.key`;

/** Severities as numbers, the worst first. */
const toNumber = (severity: Severity): number => SEVERITIES.indexOf(severity);
const toSeverity = (number: number): Severity => SEVERITIES[number] ?? 'info';

/** A row of the table with the URL. */
interface FindingRow {
  readonly code: string;
  readonly agent: number;
  readonly key: number;
  readonly url: string;
  readonly severity: number;
  readonly links: number;
  readonly detail: string | null;
  readonly targets: string;
}

/** A finding with its severity. */
export interface GradedFinding extends Finding {
  readonly severity: Severity;
}

export interface UrlFinding extends GradedFinding {
  readonly url: string;
  /** The number of pages that link to the URL. */
  readonly links: number;
}

/** The number of findings of a kind and a severity for a crawler. */
export interface FindingCount {
  readonly code: string;
  readonly severity: Severity;
  readonly agent: number;
  readonly count: number;
  /** The links to their URLs: for each URL the number of pages. */
  readonly links: number;
}

/** The number of findings of a kind with the same detail. */
export type DetailCount = Pick<FindingCount, 'count'> & { readonly detail: string | null };

export class FindingTable {
  readonly #database: SqliteDatabase;
  readonly #blocked: BlockedResources;

  constructor(database: SqliteDatabase, blocked: BlockedResources) {
    this.#database = database;
    this.#blocked = blocked;
  }

  /** Removes all findings, and what {@link setLinks} stored. */
  clear(): void {
    this.#database.run('delete from findings');
    this.setLinks([]);
  }

  /**
   * Stores the number of pages that link to each URL, which findings get when they are added.
   *
   * @param counts - keys of URLs with links to them.
   */
  setLinks(counts: Iterable<{ readonly key: number; readonly links: number }>): void {
    this.#database.exec('drop table if exists temp.links_to');
    this.#database.exec('create temp table links_to (key integer primary key, links integer not null)');
    this.#database.transaction(() => {
      for (const { key, links } of counts)
        this.#database.run('insert into links_to values (?, ?)', key, links);
    });
  }

  add(findings: Iterable<GradedFinding>): void {
    this.#database.transaction(() => {
      for (const { code, agent, key, severity, detail, targets } of findings)
        this.#database.run(
          `insert or ignore into findings
           select ?, ?, given.key, ?, coalesce((select links from links_to where key = given.key), 0), ?, ?
           from (select ? as key) as given`,
          code,
          agent,
          toNumber(severity),
          detail === null ? null : truncate(detail, MAX_DETAIL),
          JSON.stringify(targets.slice(0, MAX_TARGETS).map((url) => truncate(url, MAX_TARGET_CHARS, ''))),
          key,
        );
    });
  }

  /** Adds the findings of a kind for a crawler that follow from verdicts and pages. */
  addByQuery(
    code: string,
    agent: number,
    severity: Severity,
    { detail = 'null', where }: FindingQuery,
  ): void {
    this.#database.exec(JUDGED);
    this.#database.run(
      `insert or ignore into findings
       select '${code}', agent, key, ${toNumber(severity)},
         coalesce((select links from links_to where links_to.key = judged.key), 0),
         substr(${detail}, 1, ${MAX_DETAIL}), '[]' from judged where agent = ? and (${where})`,
      agent,
    );
  }

  /** Counts findings by kind, severity and crawler. */
  count(): FindingCount[] {
    return this.#database
      .all<Omit<FindingCount, 'severity'> & { readonly severity: number }>(
        `select code, severity, agent, count(*) as count, sum(links) as links from findings
         group by code, severity, agent`,
      )
      .map((row) => ({ ...row, severity: toSeverity(row.severity) }));
  }

  /** Counts the findings of a kind and severity for a crawler by detail, the most frequent first. */
  countDetails(code: string, agent: number, severity: Severity): DetailCount[] {
    return this.#database.all(
      `select detail, count(*) as count from findings where code = ? and agent = ? and severity = ?
       group by detail order by count desc, detail`,
      code,
      agent,
      toNumber(severity),
    );
  }

  /** Whether two crawlers have the same findings. */
  areEqual(agent: number, other: number): boolean {
    const columns = 'code, key, severity, detail, targets';
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
   * Iterates over the findings of a kind for a crawler, in the order of severity, detail and URL.
   *
   * @param filter - only those with this severity, and this detail. @defaultValue all
   */
  *list(
    code: string,
    agent: number,
    { severity, detail }: { readonly severity?: Severity; readonly detail?: string | null } = {},
  ): Generator<UrlFinding> {
    const conditions: [text: string, value: number | string | null][] = [];
    if (severity !== undefined) conditions.push(['and severity = ?', toNumber(severity)]);
    if (detail !== undefined) conditions.push(['and detail is ?', detail]);
    for (const row of this.#database.iterate<FindingRow>(
      `select findings.*, url from findings join urls using (key)
       where code = ? and agent = ? ${conditions.map(([text]) => text).join(' ')} order by severity, detail, url`,
      code,
      agent,
      ...conditions.map(([, value]) => value),
    ))
      yield this.#toFinding(row);
  }

  /** Iterates over the URLs and crawlers that have a finding of a severity. */
  urlsWith(severity: Severity): Generator<{ readonly url: string; readonly agent: number }> {
    return this.#database.iterate(
      'select distinct url, agent from findings join urls using (key) where severity = ?',
      toNumber(severity),
    );
  }

  /** Iterates over the URLs that have findings of a severity or a worse one for a crawler, with the codes of these. */
  listWorst(agent: number, severity: Severity): Generator<{ readonly url: string; readonly codes: string }> {
    return this.#database.iterate(
      `select url, group_concat(distinct code) as codes from findings join urls using (key)
       where agent = ? and severity <= ? group by key`,
      agent,
      toNumber(severity),
    );
  }

  /** Iterates over the keys of the URLs that have a finding of a kind for a crawler. */
  *keysOf(code: string, agent: number): Generator<number> {
    const text = 'select key from findings where code = ? and agent = ?';
    for (const { key } of this.#database.iterate<{ key: number }>(text, code, agent)) yield key;
  }

  /** Iterates over the keys of the URLs that have findings. */
  keys(): Generator<{ readonly key: number }> {
    return this.#database.iterate('select distinct key from findings');
  }

  /** Returns the findings about a URL for a crawler. */
  ofUrl(key: number, agent: number): UrlFinding[] {
    return this.#database
      .all<FindingRow>(
        'select findings.*, url from findings join urls using (key) where key = ? and agent = ? order by severity, code',
        key,
        agent,
      )
      .map((row) => this.#toFinding(row));
  }

  #toFinding({ code, agent, key, url, severity, links, detail, targets }: FindingRow): UrlFinding {
    const isAboutResources = code === 'blocked-resource' || code === 'blocked-image';
    return {
      ...{ code, agent, key, url, links, detail, severity: toSeverity(severity) },
      targets: isAboutResources
        ? this.#blocked.findUrls(key, agent, code).slice(0, MAX_TARGETS)
        : (JSON.parse(targets) as string[]),
    };
  }
}
