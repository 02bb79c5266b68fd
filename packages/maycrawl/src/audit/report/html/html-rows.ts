/**
 * The URLs of a run as the page of the report reads them (packages/web/src/report/data/report-data.ts): small arrays, in which what comes
 * often is a number.
 *
 * @module
 */
import { type CanonicalStatement, combineDirectives, decideCanonical } from '@maycrawl/core/indexability';
import { RobotsOfRun } from '../../judge/robots-of-run.ts';
import { type KeptFacts, type KeptUrl, type Page, STATES } from '../../run/run-store.ts';
import { judgedAt, settingsOf } from '../../run/settings.ts';
import type { SqliteRun } from '../../run/sqlite-run.ts';
import { RobotsLines } from '../urls/robots-lines.ts';
import { urlsInOrder } from '../urls/url-order.ts';
import { HtmlLinks } from './html-links.ts';
import { Interned } from './interned.ts';

/** A value of a row. */
type Cell = string | number | null | readonly Cell[];
/** Characters of a title, a header or a failure that are shown. */
const MAX_TEXT = 300;
/** Statements of a page that are shown. */
const MAX_STATEMENTS = 10;
/** Entries of the list of versions in other languages that cannot be indexed. */
const MAX_ALTERNATES = 5_000;
const FROM = ['html', 'header'] as const;
const KINDS = ['absent', 'self', 'other', 'conflict'] as const;

/** Makes rows, and gathers what they refer to. */
export class HtmlRows {
  /** What is said about a URL for all crawlers. */
  readonly verdicts: Interned = new Interned();
  /** Decisions of robots.txt: why, line, text of the line. */
  readonly crawls: Interned = new Interned();
  /** Directives that forbid indexing: where, to whom, the text. */
  readonly noindexes: Interned = new Interned();
  readonly types: Interned = new Interned();
  /** Versions in other languages that are not indexable: page, language, version. */
  readonly alternates: (readonly [page: number, hreflang: string, version: number])[] = [];
  alternatesLeftOut = 0;
  readonly #run: SqliteRun;
  readonly #links: HtmlLinks;
  readonly #robots: RobotsOfRun;
  readonly #lines: RobotsLines;
  readonly #agents: number;
  readonly #now: number;
  readonly #digests: ReadonlyMap<string, number>;

  private constructor(run: SqliteRun, agents: number, robots: RobotsOfRun, now: number) {
    this.#run = run;
    this.#agents = agents;
    this.#robots = robots;
    this.#now = now;
    this.#lines = new RobotsLines(run);
    this.#digests = sharedDigests(run);
    this.#links = new HtmlLinks(run.rows);
  }

  /** @param run - its URLs must be in order (`rows.orderUrls`). */
  static async of(run: SqliteRun): Promise<HtmlRows> {
    const { agents, profile } = await settingsOf(run);
    const now = (await judgedAt(run)) ?? Date.now();
    return new HtmlRows(run, agents.length, new RobotsOfRun(run, agents, profile), now);
  }

  /** The rows, in the order of the URLs. What a row ends with that says nothing is left out. */
  async *all(): AsyncGenerator<readonly Cell[]> {
    let previous = '';
    let place = 0;
    for await (const url of urlsInOrder(this.#run)) {
      const shared = sharedStart(previous, url.url);
      previous = url.url;
      const cells = [shared, url.url.slice(shared), ...(await this.#cells(url, place++))];
      while (cells.at(-1) === null) cells.pop();
      yield cells;
    }
  }

  async #cells(url: KeptUrl, place: number): Promise<Cell[]> {
    const page = (await this.#run.page(url.key)) ?? null;
    const facts = page?.outcome.kind === 'page' ? page.outcome.facts : null;
    const failure = page?.outcome.kind === 'failure' ? page.outcome : null;
    const sitemaps = await this.#run.sitemapsOf(url.key);
    if (facts !== null) await this.#lookAtAlternates(url.key, place, facts);
    const digest = page?.outcome.kind === 'page' ? page.outcome.digest : null;
    return [
      STATES.indexOf(url.state),
      url.depth,
      await this.#verdicts(url, page),
      facts?.status ?? null,
      page && Math.round(page.milliseconds),
      page?.bytes ?? null,
      facts && facts.type !== null ? this.types.number(facts.type) : null,
      cut(facts?.title ?? null),
      facts && facts.location !== null ? await this.#placeOf(facts.location) : null,
      facts && (await this.#canonical(url.url, facts.canonicals)),
      sitemaps.length > 1 ? sitemaps : (sitemaps[0] ?? null),
      this.#links.countOf(url.key) || null,
      this.#links.sourcesOf(url.key),
      (digest !== null && this.#digests.get(digest)) || null,
      cut(failure === null ? url.why : `${failure.code}: ${failure.detail}`),
      url.isStart ? 1 : null,
      facts && ignoredIn(facts.canonicals),
    ];
  }

  /** The number of what holds for each crawler; `null` if nothing was judged. */
  async #verdicts({ key, url }: KeptUrl, page: Page | null): Promise<number | null> {
    const each: Cell[] = [];
    for (let agent = 0; agent < this.#agents; agent++) {
      const verdict = await this.#run.verdict(key, agent);
      if (verdict === undefined) {
        each.push(null);
        continue;
      }
      const { isAllowed, reason, line, reasons, hidden } = verdict;
      const text = await this.#lines.line(url, line);
      const crawl = this.crawls.number([isAllowed ? 1 : 0, reason, line, text]);
      const noindex =
        isAllowed && page?.outcome.kind === 'page' ? this.#noindex(page.outcome.facts, agent) : null;
      each.push([reasons, hidden, crawl, ...(noindex ?? [])]);
    }
    return each.every((one) => one === null) ? null : this.verdicts.number(each);
  }

  #noindex({ robots }: KeptFacts, agent: number): number[] | null {
    if (robots.length === 0) return null;
    const { noindex } = combineDirectives(robots, this.#robots.crawler(agent), this.#now);
    return noindex
      .slice(0, MAX_STATEMENTS)
      .map(({ statement }) => this.noindexes.number([statement.from, statement.agent, cut(statement.text)]));
  }

  /** `null`: absent. Else its kind, where it stands, and what it names. */
  async #canonical(url: string, statements: readonly CanonicalStatement[]): Promise<Cell> {
    if (statements.length === 0) return null;
    const canonical = decideCanonical(url, statements);
    if (canonical.kind === 'absent') return null;
    const counted = statements.filter(({ ignored }) => ignored === null);
    const from = FROM.reduce(
      (sum, name, bit) => sum | (counted.some((one) => one.from === name) ? 1 << bit : 0),
      0,
    );
    const named =
      canonical.kind === 'other' ? [canonical.url] : canonical.kind === 'conflict' ? canonical.urls : [];
    const places: Cell[] = [];
    for (const each of named.slice(0, MAX_STATEMENTS)) places.push(await this.#placeOf(each));
    return [KINDS.indexOf(canonical.kind), from, ...places];
  }

  /** Where a URL stands in the report; itself if it does not. */
  async #placeOf(url: string): Promise<number | string> {
    const key = await this.#run.keyOf(url);
    const place = key === undefined ? -1 : this.#links.placeOf(key);
    return place < 0 ? (cut(url, 2_000) as string) : place;
  }

  async #lookAtAlternates(key: number, place: number, { alternates }: KeptFacts): Promise<void> {
    if (alternates.length === 0 || !this.#links.hasBadAlternate(key)) return;
    for (const { hreflang, url } of alternates) {
      const version = await this.#run.keyOf(url);
      if (version === undefined || version === key || !this.#links.isBad(version)) continue;
      const at = this.#links.placeOf(version);
      if (at < 0 || this.alternates.length >= MAX_ALTERNATES) this.alternatesLeftOut++;
      else this.alternates.push([place, cut(hreflang, 40) as string, at]);
    }
  }
}

/** Statements of a canonical that count for nothing. */
function ignoredIn(statements: readonly CanonicalStatement[]): Cell {
  const ignored = statements.filter((each) => each.ignored !== null).slice(0, MAX_STATEMENTS);
  return ignored.length === 0 ? null : ignored.map(({ from, href, ignored: why }) => [from, cut(href), why]);
}

function cut(text: string | null, limit: number = MAX_TEXT): string | null {
  return text !== null && text.length > limit ? `${text.slice(0, limit)}…` : text;
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Digests that several pages have, and a number for each, from 1. */
function sharedDigests({ rows }: SqliteRun): Map<string, number> {
  return new Map(rows.sharedDigests().map((digest, index) => [digest, index + 1]));
}
