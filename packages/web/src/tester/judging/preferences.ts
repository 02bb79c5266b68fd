// Preferences of crawlers about the use of content, as data for messages between threads.
import { explainVerdict, type RobotsTxt, resolveAgent } from '@maycrawl/core';
import { PreferenceReader, type PreferenceReport, type PreferenceValue } from '@maycrawl/core/preferences';
import { type SourceInput, selectPage } from '../state/declaration-sources.ts';
import { PURPOSES, type Purpose } from '../state/selected-preference.ts';

/** What is declared for a crawler and a URL: the row of a table. */
export interface CrawlerPreferences {
  readonly crawler: string;
  /** Whether the crawler may fetch the URL. */
  readonly crawl: PreferenceReport['crawl'];
  readonly values: Readonly<Record<Purpose, PreferenceValue>>;
  /** The purposes about which statements or readings disagree. */
  readonly disputed: readonly Purpose[];
}

/** The rows of some URLs. */
export interface PreferenceTable {
  /** The rows of each URL, in the order of the crawlers. URLs after the end of the time are missing. */
  readonly urls: readonly (readonly CrawlerPreferences[])[];
}

/** Reads preferences in slices, so that a newer request need not wait for this one. */
export class PreferenceRun {
  readonly #read: (crawler: string, url: string) => PreferenceReport;
  readonly #targets: readonly string[];
  readonly #crawlers: readonly string[];
  readonly #urls: CrawlerPreferences[][] = [];
  #row: CrawlerPreferences[] = [];

  constructor(robots: RobotsTxt, sources: SourceInput, urls: readonly string[], crawlers: readonly string[]) {
    // The sources of the site are parsed once for each crawler.
    const readers = new Map<string, PreferenceReader>();
    this.#read = (crawler, url) => {
      const reader = readers.get(crawler) ?? createReader(robots, sources, crawler);
      readers.set(crawler, reader);
      return reader.read(url, selectPage(sources, url));
    };
    this.#targets = urls;
    this.#crawlers = crawlers;
  }

  /** Reads until the time is up. @returns whether all are read. */
  advance(isTimeUp: () => boolean): boolean {
    while (this.#urls.length < this.#targets.length) {
      const url = this.#targets[this.#urls.length] as string;
      const crawler = this.#crawlers[this.#row.length];
      if (crawler === undefined) {
        this.#urls.push(this.#row);
        this.#row = [];
        continue;
      }
      this.#row.push(toRow(crawler, this.#read(crawler, url)));
      if (isTimeUp()) return false;
    }
    return true;
  }

  /** What was read, without a URL that has only some of its rows. */
  get table(): PreferenceTable {
    return { urls: this.#urls };
  }
}

function createReader(robots: RobotsTxt, { site }: SourceInput, crawler: string): PreferenceReader {
  const policy = { kind: 'rules', robots } as const;
  return new PreferenceReader({ ...site, policy }, resolveAgent(crawler).crawler);
}

function toRow(crawler: string, { crawl, purposes, conflicts }: PreferenceReport): CrawlerPreferences {
  const values = PURPOSES.map((purpose) => [purpose, purposes[purpose]?.value ?? 'unknown'] as const);
  return {
    crawler,
    crawl,
    values: Object.fromEntries(values) as CrawlerPreferences['values'],
    disputed: PURPOSES.filter((purpose) => conflicts.some((each) => each.purpose === purpose)),
  };
}

/** What is declared for a crawler and a URL, and the verdict about crawling. */
export interface PreferenceDetails {
  readonly report: PreferenceReport;
  readonly crawlSentence: string;
  /** Line of the rule that decides about crawling; 0 if none does. */
  readonly crawlLine: number;
}

/** Reads everything that is declared for a crawler and a URL. */
export function readDetails(
  robots: RobotsTxt,
  sources: SourceInput,
  crawler: string,
  url: string,
): PreferenceDetails {
  const verdict = robots.ruleset(resolveAgent(crawler).crawler).decide(url);
  return {
    report: {
      ...createReader(robots, sources, crawler).read(url, selectPage(sources, url)),
      agent: crawler,
    },
    crawlSentence: explainVerdict(verdict),
    crawlLine: verdict.kind === 'out-of-scope' ? 0 : verdict.line,
  };
}
