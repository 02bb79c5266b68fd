// The data of the report. A URL is identified by the index of its row; rows are in the order of their URLs.
import type { ResourceKind } from '@maycrawl/core/indexability';
import {
  type AuditSections,
  type Columns,
  type IgnoredCanonical,
  joinColumns,
  type LinkRow,
  type NoindexDirective,
  type ReportHead,
  type ReportData as ReportSections,
  type ReportVerdict,
  type StoredPreferences,
  type Target,
  type UrlRow,
  type UrlState,
  type ValueIndex,
} from 'maycrawl/api';
import { Findings } from './findings.ts';
import { LinkTable } from './link-table.ts';

/** A resource that the crawler may not fetch. */
export interface BlockedResource {
  readonly url: string;
  readonly kinds: readonly ResourceKind[];
  /** The line of the robots.txt of its site. */
  readonly line: number;
}

/** Stands for `null` in an array of numbers. */
export const NONE = -1;

/** The rows, the values that they refer to, and the head. */
export class ReportData {
  readonly head: ReportHead;
  readonly findings: Findings;
  readonly urls: readonly string[];
  readonly statuses: Int16Array;
  readonly depths: Int32Array;
  readonly milliseconds: Int32Array;
  /** The number of pages that link to each URL, and the number of URLs to which it links. */
  readonly links: readonly number[];
  readonly targets: readonly number[];
  readonly #columns: Partial<Columns<UrlRow>>;
  readonly #links: LinkTable;
  readonly #values: readonly unknown[];
  #texts: readonly string[] | undefined;

  /** @throws {Error} if the data have no head. */
  constructor({ head, rows = [], links = [], findings = [], values = [] }: ReportSections<AuditSections>) {
    if (head?.[0] === undefined) throw new Error('the data have no head');
    this.head = head[0];
    this.findings = new Findings(findings);
    this.#columns = joinColumns(rows);
    this.#links = new LinkTable(links);
    this.#values = values;
    this.urls = this.#columns.url ?? [];
    this.links = this.#columns.links ?? [];
    this.targets = this.#columns.targets ?? [];
    this.statuses = Int16Array.from(this.#columns.status ?? [], (status) => status ?? NONE);
    this.depths = Int32Array.from(this.#columns.depth ?? [], (depth) => depth ?? NONE);
    this.milliseconds = Int32Array.from(this.#columns.milliseconds ?? [], (time) => time ?? NONE);
  }

  get count(): number {
    return this.urls.length;
  }

  /** URL and title in lower case, for searches. */
  get texts(): readonly string[] {
    this.#texts ??= this.urls.map((url, index) => `${url}\n${this.get(index, 'title') ?? ''}`.toLowerCase());
    return this.#texts;
  }

  /** A value that rows refer to. */
  getValue<Value>(index: ValueIndex<Value> | null | undefined): Value | null {
    return index === null || index === undefined ? null : ((this.#values[index] ?? null) as Value | null);
  }

  /** A value of a row; `null` if the row has no value there. */
  get<Column extends keyof UrlRow>(index: number, column: Column): UrlRow[Column] | null {
    return this.#columns[column]?.[index] ?? null;
  }

  getState(index: number): UrlState {
    return this.get(index, 'state') ?? 'waiting';
  }

  getSegment(index: number): string | null {
    return this.getValue(this.get(index, 'segment'));
  }

  /** The verdict for an agent; `null` if it does not exist. */
  getVerdict(index: number, agent: number): ReportVerdict | null {
    return this.getValue(this.getValue(this.get(index, 'verdict'))?.[agent]);
  }

  /** Whether the agent may not fetch the page, and therefore sees nothing of it. */
  isBlocked(index: number, agent: number): boolean {
    return this.getVerdict(index, agent)?.reasons.includes('blocked') ?? false;
  }

  /** The directives that forbid the agent to index the page. */
  getNoindex(index: number, agent: number): NoindexDirective[] {
    const directives = this.getValue(this.get(index, 'noindex'))?.[agent] ?? [];
    return directives.map((each) => this.getValue(each)).filter((each) => each !== null);
  }

  getType(index: number): string | null {
    return this.getValue(this.get(index, 'type'));
  }

  getIgnoredCanonicals(index: number): readonly IgnoredCanonical[] {
    return this.get(index, 'ignored') ?? [];
  }

  /** What is declared about the use of the URL; `null` if nothing is, or the crawler may not fetch it. */
  getPreferences(index: number, agent: number): StoredPreferences | null {
    return this.getValue(this.getValue(this.get(index, 'use'))?.[agent]);
  }

  /** The numbers of the sitemaps that list the URL. */
  getSitemaps(index: number): readonly number[] {
    return this.get(index, 'sitemaps') ?? [];
  }

  isInSitemap(index: number): boolean {
    return this.getSitemaps(index).length > 0;
  }

  /** The links to the URL: all if the report contains all links, otherwise some. */
  getLinksTo(index: number): readonly LinkRow[] {
    return this.#links.getLinksTo(index);
  }

  /** The links of the page; none if the report does not contain all links. */
  getLinksFrom(index: number): readonly LinkRow[] {
    return this.head.hasAllLinks ? this.#links.getLinksFrom(index) : [];
  }

  /** The resources of the page that a crawler may not fetch. */
  getBlockedResources(index: number, agent: number): BlockedResource[] {
    const list = this.getValue(this.get(index, 'resources')) ?? [];
    return list.flatMap((each) => {
      const { url, kinds, lines } = this.getValue(each) ?? { url: '', kinds: [], lines: [] };
      const line = lines[agent] ?? 0;
      return line === 0 ? [] : [{ url, kinds, line }];
    });
  }

  getUrl(target: Target): string {
    return typeof target === 'string' ? target : (this.urls[target] ?? '');
  }
}
