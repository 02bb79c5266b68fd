/**
 * The URLs of a run as rows of the HTML report (report-data.ts).
 *
 * @module
 */

import { timeSlices } from '@maycrawl/client/event-loop';
import { type CanonicalStatement, combineDirectives, decideCanonical } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/text';
import { Interned } from '../../../reports/interned.ts';
import { isJudged } from '../../judge/evidence.ts';
import { RenderedDirectives } from '../../judge/rendered-directives.ts';
import { RobotsLines } from '../../judge/robots-lines.ts';
import { RunPolicies } from '../../judge/run-policies.ts';
import type { StoredFacts, UrlRecord } from '../../run/records/page.ts';
import { STATES } from '../../run/records/url.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings, judgedAt, type RunSettings } from '../../run/settings.ts';
import type { StoredVerdict } from '../../run/tables/verdict-table.ts';
import type { Segments } from '../../segments/segments.ts';
import { getBodySize } from '../urls/body-size.ts';
import type { RowFinder } from './html-findings.ts';
import { HtmlLinks } from './html-links.ts';
import { createRenderingCell } from './html-rendering.ts';
import { HtmlResources } from './html-resources.ts';
import { HtmlUses } from './html-uses.ts';
import {
  CANONICAL_KINDS,
  CANONICAL_SOURCES,
  type Decision,
  type IgnoredCanonical,
  type NoindexDirective,
  type PackedRow,
  packRow,
  type ReportVerdict,
  type Target,
  type UrlRow,
} from './report-data.ts';

/** Characters of a title, a header or a failure that are shown. */
const MAX_TEXT = 300;
/** Statements of a page that are shown. */
const MAX_STATEMENTS = 10;
/** Characters of a URL that has no row. */
const MAX_TARGET = 2_000;

/** Creates rows, and collects the lists that they refer to. */
export class HtmlRows implements RowFinder {
  readonly verdicts: Interned<readonly (ReportVerdict | null)[]> = new Interned();
  readonly decisions: Interned<Decision> = new Interned();
  readonly noindexes: Interned<NoindexDirective> = new Interned();
  readonly types: Interned<string> = new Interned();
  readonly resources: HtmlResources;
  readonly uses: HtmlUses;
  readonly #run: RunStore;
  readonly links: HtmlLinks;
  readonly #robots: RunPolicies;
  readonly #lines: RobotsLines;
  readonly #agents: number;
  /** Whether pages of the run were rendered. */
  readonly #isRendered: boolean;
  readonly #now: number;
  readonly #directives: RenderedDirectives;
  readonly #digests: ReadonlyMap<string, number>;
  readonly #segments: Segments;

  private constructor(
    run: RunStore,
    settings: RunSettings,
    robots: RunPolicies,
    segments: Segments,
    now: number,
  ) {
    this.#run = run;
    this.#agents = settings.agents.length;
    this.#isRendered = Boolean(settings.render);
    this.#robots = robots;
    this.#segments = segments;
    this.#now = now;
    this.#directives = new RenderedDirectives(run);
    this.#lines = new RobotsLines(run);
    this.#digests = sharedDigests(run);
    this.links = new HtmlLinks(run.rows);
    this.resources = new HtmlResources(run.blocked, settings.agents.length);
    this.uses = new HtmlUses(run.preferences, settings.agents.length);
  }

  /** Opens a run, whose URLs must be ordered (`rows.orderUrls`). */
  static async create(run: RunStore, segments: Segments): Promise<HtmlRows> {
    const settings = await getSettings(run);
    const now = (await judgedAt(run)) ?? Date.now();
    const policies = new RunPolicies(run, settings.agents, settings.profile);
    return new HtmlRows(run, settings, policies, segments, now);
  }

  /** Creates the rows, in the order of the URLs. */
  async *all(): AsyncGenerator<PackedRow> {
    let previous = '';
    const stored = this.#run.verdicts.listInOrder();
    let next = stored.next();
    for (const url of this.#run.rows.recordsInOrder()) {
      const verdicts: StoredVerdict[] = [];
      for (; !next.done && next.value.key === url.key; next = stored.next())
        verdicts[next.value.agent] = next.value;
      yield packRow(await this.#row(url, verdicts, previous));
      previous = url.url;
      if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    }
  }

  /** Names of all segments. */
  get segmentNames(): readonly string[] {
    return this.#segments.names;
  }

  /** The row of a URL; -1 if the report has none. */
  findRow(key: number): number {
    return this.links.findRow(key);
  }

  /** The row of a URL, or its text if the report has none. */
  async findTarget(url: string): Promise<Target> {
    const key = await this.#run.findKey(url);
    const index = key === undefined ? -1 : this.links.findRow(key);
    return index < 0 ? cut(url, MAX_TARGET) : index;
  }

  async #row(url: UrlRecord, verdicts: readonly StoredVerdict[], previous: string): Promise<UrlRow> {
    const shared = countShared(previous, url.url);
    const { page, inSitemaps } = url;
    const facts = page?.outcome.kind === 'page' ? page.outcome.facts : null;
    const failure = page?.outcome.kind === 'failure' ? page.outcome : null;
    const verdict = await this.#verdicts(url, verdicts);
    const digest = page?.outcome.kind === 'page' ? page.outcome.digest : null;
    return {
      shared,
      rest: url.url.slice(shared),
      state: STATES.indexOf(url.state),
      depth: url.depth,
      verdict,
      segment: verdict === null ? null : this.#segments.find(url.url),
      status: facts?.status ?? null,
      milliseconds: page && Math.round(page.milliseconds),
      bytes: page && getBodySize(page),
      type: facts && facts.type !== null ? this.types.number(facts.type) : null,
      title: cut(facts?.title ?? null),
      redirect: facts && facts.location !== null ? await this.findTarget(facts.location) : null,
      canonical: facts && (await this.#canonical(url.url, facts.canonicals)),
      sitemaps: inSitemaps.length > 1 ? inSitemaps : (inSitemaps[0] ?? null),
      links: this.links.countLinks(url.key) || null,
      sources: this.links.findSources(url.key),
      digest: (digest !== null && this.#digests.get(digest)) || null,
      note: cut(failure === null ? url.why : `${failure.code}: ${failure.detail}`),
      start: url.isStart ? 1 : null,
      ignored: facts && findIgnored(facts.canonicals),
      rendering: await this.#rendering(url.key),
      targets: this.links.countTargets(url.key) || null,
      resources: this.resources.findList(url.key),
      use: this.uses.findUse(url.key),
    };
  }

  async #rendering(key: number): Promise<UrlRow['rendering']> {
    const rendering = this.#isRendered ? this.#run.renderings.get(key) : undefined;
    return rendering === undefined
      ? null
      : createRenderingCell(rendering, (target) => this.findTarget(target));
  }

  /** The number of the verdicts of all agents; `null` if it does not exist. */
  async #verdicts(
    { key, url, state, page }: UrlRecord,
    verdicts: readonly StoredVerdict[],
  ): Promise<number | null> {
    if (!isJudged(state)) return null;
    const each: (ReportVerdict | null)[] = [];
    for (let agent = 0; agent < this.#agents; agent++) {
      const verdict = verdicts[agent];
      if (verdict === undefined) {
        each.push(null);
        continue;
      }
      const { isAllowed, reason, line, reasons, maskedReasons } = verdict;
      const text = await this.#lines.line(url, line);
      const decision = this.decisions.number([isAllowed ? 1 : 0, reason, line, text]);
      const noindex =
        isAllowed && page?.outcome.kind === 'page'
          ? await this.#noindex(key, page.outcome.facts, agent)
          : null;
      each.push([reasons, maskedReasons, decision, ...(noindex ?? [])]);
    }
    return each.every((one) => one === null) ? null : this.verdicts.number(each);
  }

  async #noindex(key: number, facts: StoredFacts, agent: number): Promise<number[] | null> {
    const withScripts = this.#robots.runsScripts(agent);
    const robots = await this.#directives.addRendered(key, facts.robots, withScripts);
    if (robots.length === 0) return null;
    const { noindex } = combineDirectives(robots, this.#robots.crawler(agent), this.#now);
    return noindex
      .slice(0, MAX_STATEMENTS)
      .map(({ statement }) => this.noindexes.number([statement.from, statement.agent, cut(statement.text)]));
  }

  async #canonical(url: string, statements: readonly CanonicalStatement[]): Promise<UrlRow['canonical']> {
    if (statements.length === 0) return null;
    const canonical = decideCanonical(url, statements);
    if (canonical.kind === 'absent') return null;
    const counted = statements.filter(({ ignored }) => ignored === null);
    const from = CANONICAL_SOURCES.reduce(
      (sum, name, bit) => sum | (counted.some((one) => one.from === name) ? 1 << bit : 0),
      0,
    );
    const named =
      canonical.kind === 'other' ? [canonical.url] : canonical.kind === 'conflict' ? canonical.urls : [];
    const targets: Target[] = [];
    for (const each of named.slice(0, MAX_STATEMENTS)) targets.push(await this.findTarget(each));
    return [CANONICAL_KINDS.indexOf(canonical.kind), from, ...targets];
  }
}

function findIgnored(statements: readonly CanonicalStatement[]): UrlRow['ignored'] {
  const ignored = statements
    .flatMap(({ from, href, ignored: why }): IgnoredCanonical[] =>
      why === null ? [] : [[from, cut(href), why]],
    )
    .slice(0, MAX_STATEMENTS);
  return ignored.length === 0 ? null : ignored;
}

function cut<Text extends string | null>(text: Text, limit: number = MAX_TEXT): Text | string {
  return text === null ? text : truncate(text, limit);
}

function countShared(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Numbers the digests that several pages share, from 1. */
function sharedDigests({ rows }: RunStore): Map<string, number> {
  return new Map(rows.sharedDigests().map((digest, index) => [digest, index + 1]));
}
