/**
 * The data of the report, parsed once from the script elements that contain it. A URL is identified by the index of its row; rows are
 * in the order of their URLs.
 *
 * @module
 */
import { RESOURCE_KINDS, type ResourceKind } from '@maycrawl/core/indexability';
import {
  CANONICAL_KINDS,
  CANONICAL_SOURCES,
  type FindingList,
  type IgnoredCanonical,
  type PackedRow,
  type RenderingCell,
  type ReportHead,
  type ReportVerdict,
  ROW_COLUMNS,
  STATES,
  type StoredPreferences,
  type Target,
  type UrlRow,
  type UrlState,
} from 'maycrawl/api';
import { Findings } from './findings.ts';
import { type Link, LinkTable } from './link-table.ts';

/** The canonical links of a page. */
export interface Canonical {
  readonly kind: (typeof CANONICAL_KINDS)[number];
  /** Where they are: HTML, header. */
  readonly sources: readonly string[];
  readonly targets: readonly Target[];
}

/** A resource that the crawler may not fetch. */
export interface BlockedResource {
  readonly url: string;
  readonly kinds: readonly ResourceKind[];
  /** The line of the robots.txt of its site. */
  readonly line: number;
}

/** Stands for `null` in an array of numbers. */
export const NONE = -1;

const SOURCE_LABELS: Readonly<Record<(typeof CANONICAL_SOURCES)[number], string>> = {
  html: 'HTML',
  header: 'header',
};

/** The rows as typed arrays of columns, and the head. */
export class ReportData {
  readonly head: ReportHead;
  readonly findings: Findings;
  readonly urls: readonly string[];
  readonly verdicts: Int32Array;
  readonly statuses: Int16Array;
  readonly depths: Int32Array;
  readonly milliseconds: Int32Array;
  /** The number of pages that link to each URL, and the number of URLs to which it links. */
  readonly links: Int32Array;
  readonly targets: Int32Array;
  readonly states: Uint8Array;
  readonly digests: Int32Array;
  /** Indexes of segments. */
  readonly segments: Int16Array;
  /** Indexes of preferences. */
  readonly uses: Int32Array;
  readonly #rows: readonly PackedRow[];
  readonly #links: LinkTable;
  #texts: readonly string[] | undefined;

  /** @param links - JSON of lists of PackedLinks, if the report contains all links. */
  constructor(
    head: ReportHead,
    rows: readonly PackedRow[],
    findings: readonly FindingList[],
    links: readonly string[],
  ) {
    this.head = head;
    this.findings = new Findings(findings);
    this.#rows = rows;
    this.#links = new LinkTable(links);
    let previous = '';
    this.urls = rows.map((_, index) => {
      previous = previous.slice(0, this.#get(index, 'shared') ?? 0) + (this.#get(index, 'rest') ?? '');
      return previous;
    });
    const { length } = rows;
    this.verdicts = this.#fill(new Int32Array(length), 'verdict', NONE);
    this.statuses = this.#fill(new Int16Array(length), 'status', NONE);
    this.depths = this.#fill(new Int32Array(length), 'depth', NONE);
    this.milliseconds = this.#fill(new Int32Array(length), 'milliseconds', NONE);
    this.links = this.#fill(new Int32Array(length), 'links', 0);
    this.targets = this.#fill(new Int32Array(length), 'targets', 0);
    this.states = this.#fill(new Uint8Array(length), 'state', 0);
    this.digests = this.#fill(new Int32Array(length), 'digest', 0);
    this.segments = this.#fill(new Int16Array(length), 'segment', NONE);
    this.uses = this.#fill(new Int32Array(length), 'use', NONE);
  }

  /** The number of rows. */
  get count(): number {
    return this.urls.length;
  }

  /** URL and title in lower case, for searches. */
  get texts(): readonly string[] {
    this.#texts ??= this.urls.map((url, index) => `${url}\n${this.getTitle(index) ?? ''}`.toLowerCase());
    return this.#texts;
  }

  getState(index: number): UrlState {
    return STATES[this.states[index] as number] as UrlState;
  }

  /** The verdict for an agent; `null` if it does not exist. */
  getVerdict(index: number, agent: number): ReportVerdict | null {
    return this.head.verdicts[this.verdicts[index] as number]?.[agent] ?? null;
  }

  /** Whether the agent may not fetch the page, and therefore sees nothing of it. */
  isBlocked(index: number, agent: number): boolean {
    return ((this.getVerdict(index, agent)?.[0] ?? 0) & 1) !== 0;
  }

  getTitle(index: number): string | null {
    return this.#get(index, 'title');
  }

  /** Why a URL is a trap, or why there is no response. */
  getNote(index: number): string | null {
    return this.#get(index, 'note');
  }

  getBytes(index: number): number | null {
    return this.#get(index, 'bytes');
  }

  getType(index: number): string | null {
    return this.head.types[this.#get(index, 'type') ?? NONE] ?? null;
  }

  isStart(index: number): boolean {
    return this.#get(index, 'start') === 1;
  }

  getRedirect(index: number): Target | null {
    return this.#get(index, 'redirect');
  }

  getCanonical(index: number): Canonical | null {
    const cell = this.#get(index, 'canonical');
    if (cell === null) return null;
    const [kind, sources, ...targets] = cell;
    return {
      kind: CANONICAL_KINDS[kind] ?? 'absent',
      sources: CANONICAL_SOURCES.filter((_, bit) => (sources & (1 << bit)) !== 0).map(
        (source) => SOURCE_LABELS[source],
      ),
      targets,
    };
  }

  getIgnoredCanonicals(index: number): readonly IgnoredCanonical[] {
    return this.#get(index, 'ignored') ?? [];
  }

  /** What the scripts of the page change; `null` if it was not rendered. */
  getRendering(index: number): RenderingCell | null {
    return this.#get(index, 'rendering');
  }

  /** What is declared about the use of the URL; `null` if nothing is, or the crawler may not fetch it. */
  getPreferences(index: number, agent: number): StoredPreferences | null {
    const use = this.head.uses[this.uses[index] as number]?.[agent] ?? null;
    return use === null ? null : (this.head.declared[use] ?? null);
  }

  /** The numbers of the sitemaps that list the URL. */
  getSitemaps(index: number): readonly number[] {
    const cell = this.#get(index, 'sitemaps');
    return typeof cell === 'number' ? [cell] : (cell ?? []);
  }

  isInSitemap(index: number): boolean {
    return this.#get(index, 'sitemaps') !== null;
  }

  /** The pages that link to the URL: all if the report contains all links, otherwise some. */
  getLinksTo(index: number): readonly Link[] {
    if (this.head.hasAllLinks) return this.#links.getLinksTo(index);
    const cell = this.#get(index, 'sources') ?? [];
    return Array.from({ length: cell.length / 3 }, (_, source) => ({
      from: cell[3 * source] as number,
      to: index,
      types: cell[3 * source + 1] as number,
      text: cell[3 * source + 2] as number,
    }));
  }

  /** The URLs to which it links; none if the report does not contain all links. */
  getLinksFrom(index: number): readonly Link[] {
    return this.#links.getLinksFrom(index);
  }

  /** The different texts of a link; none if it has none, or they were not recorded. */
  getTexts({ text }: Link): readonly string[] {
    return this.head.texts[text] ?? [];
  }

  /** The resources of the page that a crawler may not fetch. */
  getBlockedResources(index: number, agent: number): BlockedResource[] {
    const list = this.head.resourceLists[this.#get(index, 'resources') ?? NONE] ?? [];
    return list.flatMap((place) => {
      const [url = '', kinds = 0, ...lines] = this.head.resources[place] ?? [];
      const line = lines[agent] ?? 0;
      return line === 0
        ? []
        : [{ url, kinds: RESOURCE_KINDS.filter((_, bit) => (kinds & (1 << bit)) !== 0), line }];
    });
  }

  getUrl(target: Target): string {
    return typeof target === 'string' ? target : (this.urls[target] ?? '');
  }

  #get<Column extends keyof UrlRow>(index: number, column: Column): UrlRow[Column] | null {
    return (this.#rows[index]?.[ROW_COLUMNS.indexOf(column)] as UrlRow[Column] | undefined) ?? null;
  }

  #fill<Numbers extends Int32Array | Int16Array | Uint8Array>(
    numbers: Numbers,
    column: keyof UrlRow,
    none: number,
  ): Numbers {
    const at = ROW_COLUMNS.indexOf(column);
    for (const [index, row] of this.#rows.entries())
      numbers[index] = (row[at] as number | null | undefined) ?? none;
    return numbers;
  }
}

/** Parses the data in the document, and removes its elements. */
export function readReportData(): ReportData {
  const parseAll = (kind: string): unknown[] =>
    Array.from(document.querySelectorAll(`script[data-report="${kind}"]`), (element) => {
      const value: unknown = JSON.parse(element.textContent ?? '');
      element.remove();
      return value;
    });
  const rows = (parseAll('rows') as PackedRow[][]).flat();
  const links = Array.from(document.querySelectorAll('script[data-report="links"]'), (element) => {
    element.remove();
    return element.textContent ?? '';
  });
  return new ReportData(
    parseAll('head')[0] as ReportHead,
    rows,
    parseAll('findings') as FindingList[],
    links,
  );
}
