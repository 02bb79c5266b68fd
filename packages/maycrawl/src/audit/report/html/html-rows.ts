// The URLs of a run as rows of the HTML report (report-data.ts).

import {
  type CanonicalStatement,
  combineDirectives,
  decideCanonical,
  findRedirectTarget,
} from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import { type ValueIndex, ValueTable } from '../../../reports/report-data.ts';
import { isJudged } from '../../judge/evidence.ts';
import { RenderedDirectives } from '../../judge/rendered-directives.ts';
import { RobotsLines } from '../../judge/robots-lines.ts';
import { RunPolicies } from '../../judge/run-policies.ts';
import type { StoredFacts, UrlRecord } from '../../run/records/page.ts';
import { unpackReasons } from '../../run/records/reasons.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings, judgedAt } from '../../run/settings.ts';
import type { StoredVerdict } from '../../run/tables/verdict-table.ts';
import type { Segments } from '../../segments/segments.ts';
import { getBodySize } from '../urls/response-facts.ts';
import type { RowFinder } from './html-findings.ts';
import { HtmlLinks } from './html-links.ts';
import { createRenderingCell } from './html-rendering.ts';
import { HtmlResources } from './html-resources.ts';
import { HtmlUses } from './html-uses.ts';
import type { IgnoredCanonical, NoindexDirective, ReportVerdict, Target, UrlRow } from './report-data.ts';

/** Characters of a title, a header or a failure that are shown. */
const MAX_TEXT = 300;
/** Statements of a page that are shown. */
const MAX_STATEMENTS = 10;
/** Characters of a URL that has no row. */
const MAX_TARGET = 2_000;

/** Creates rows, and collects the values that they refer to. */
export class HtmlRows implements RowFinder {
  readonly values: ValueTable = new ValueTable();
  readonly links: HtmlLinks;
  readonly #resources: HtmlResources;
  readonly #uses: HtmlUses;
  readonly #run: RunStore;
  readonly #robots: RunPolicies;
  readonly #lines: RobotsLines;
  readonly #agents: number;
  /** Whether pages of the run were rendered. */
  readonly #isRendered: boolean;
  readonly #now: number;
  readonly #directives: RenderedDirectives;
  readonly #segments: Segments;
  /** Whether URLs out of the scope were checked. */
  readonly #hasChecks: boolean;

  /** @param run - whose URLs must be ordered (`rows.orderUrls`). */
  constructor(run: RunStore, segments: Segments) {
    const { agents, profile, render } = getSettings(run);
    this.#run = run;
    this.#agents = agents.length;
    this.#isRendered = Boolean(render);
    this.#robots = new RunPolicies(run, agents, profile);
    this.#segments = segments;
    this.#hasChecks = run.checks.count() > 0;
    this.#now = judgedAt(run) ?? Date.now();
    this.#directives = new RenderedDirectives(run);
    this.#lines = new RobotsLines(run);
    this.links = new HtmlLinks(run.rows, this.values);
    this.#resources = new HtmlResources(run.blocked, agents.length, this.values);
    this.#uses = new HtmlUses(run.preferences, agents.length, this.values);
  }

  /** Creates the rows, in the order of the URLs. */
  *all(): Generator<UrlRow> {
    const stored = this.#run.verdicts.listInOrder();
    let next = stored.next();
    for (const url of this.#run.rows.recordsInOrder()) {
      const verdicts: StoredVerdict[] = [];
      for (; !next.done && next.value.key === url.key; next = stored.next())
        verdicts[next.value.agent] = next.value;
      yield this.#row(url, verdicts);
    }
  }

  /** The row of a URL; -1 if the report has none. */
  findRow(key: number): number {
    return this.links.findRow(key);
  }

  /** The row of a URL, or its text if the report has none. */
  findTarget(url: string): Target {
    const key = this.#run.findKey(url);
    const index = key === undefined ? -1 : this.links.findRow(key);
    return index < 0 ? cut(url, MAX_TARGET) : index;
  }

  #row(url: UrlRecord, stored: readonly StoredVerdict[]): UrlRow {
    const { page, inSitemaps } = url;
    const facts = page?.outcome.kind === 'page' ? page.outcome.facts : null;
    const isChecked = this.#hasChecks && url.state === 'outside' && page === null;
    const check = isChecked ? this.#run.checks.find(url.url) : undefined;
    const failure = page?.outcome.kind === 'failure' ? page.outcome : check?.code ? check : null;
    const redirect = facts === null ? null : findRedirectTarget(facts, url.url);
    const verdicts = isJudged(url.state) ? stored : [];
    const verdict = this.#verdict(url.url, verdicts);
    const segment = verdict === null ? null : this.#segments.find(url.url);
    return {
      url: url.url,
      state: url.state,
      depth: url.depth,
      verdict,
      noindex: facts && this.#noindex(url.key, facts, verdicts),
      segment: segment === null ? null : this.values.add(this.#segments.names[segment] ?? ''),
      status: facts?.status ?? check?.status ?? null,
      milliseconds: page && Math.round(page.milliseconds),
      bytes: page && getBodySize(page),
      type: facts && facts.type !== null ? this.values.add(facts.type) : null,
      title: cut(facts?.title ?? null),
      redirect: redirect === null ? null : this.findTarget(redirect),
      canonical: facts && this.#canonical(url.url, facts.canonicals),
      ignored: facts && findIgnored(facts.canonicals),
      sitemaps: inSitemaps,
      links: this.links.countLinks(url.key),
      targets: this.links.countTargets(url.key),
      resources: this.#resources.findList(url.key),
      note: cut(failure === null ? url.stateReason : `${failure.code}: ${failure.detail ?? ''}`),
      isStart: url.isStart,
      rendering: this.#rendering(url.key),
      use: this.#uses.findUse(url.key),
    };
  }

  #rendering(key: number): UrlRow['rendering'] {
    const rendering = this.#isRendered ? this.#run.renderings.get(key) : undefined;
    return rendering === undefined
      ? null
      : createRenderingCell(rendering, (target) => this.findTarget(target));
  }

  /** The verdict for each agent. @param stored - by agent; some have none. */
  #verdict(url: string, stored: readonly StoredVerdict[]): UrlRow['verdict'] {
    if (stored.length === 0) return null;
    const verdicts: (ValueIndex<ReportVerdict> | null)[] = [];
    for (let agent = 0; agent < this.#agents; agent++) {
      const verdict = stored[agent];
      verdicts.push(verdict === undefined ? null : this.#addVerdict(url, verdict));
    }
    return this.values.add(verdicts);
  }

  #addVerdict(url: string, stored: StoredVerdict): ValueIndex<ReportVerdict> {
    const { isAllowed, reason, line, reasons, maskedReasons } = stored;
    const verdict: ReportVerdict = {
      reasons: unpackReasons(reasons),
      maskedReasons: unpackReasons(maskedReasons),
      isAllowed,
      decision: reason,
      line,
      text: this.#lines.line(url, line),
    };
    return this.values.add(verdict);
  }

  /** For each agent that may fetch the page, the directives that forbid it indexing. */
  #noindex(key: number, { robots }: StoredFacts, verdicts: readonly StoredVerdict[]): UrlRow['noindex'] {
    const directives: ValueIndex<NoindexDirective>[][] = [];
    for (let agent = 0; agent < this.#agents; agent++) {
      const isAllowed = verdicts[agent]?.isAllowed ?? false;
      directives.push(isAllowed ? this.#findNoindex(key, robots, agent) : []);
    }
    return directives.every(({ length }) => length === 0) ? null : this.values.add(directives);
  }

  #findNoindex(key: number, stored: StoredFacts['robots'], agent: number): ValueIndex<NoindexDirective>[] {
    const withScripts = this.#robots.runsScripts(agent);
    const robots = this.#directives.addRendered(key, stored, withScripts);
    if (robots.length === 0) return [];
    const { noindex } = combineDirectives(robots, this.#robots.crawler(agent), this.#now);
    return noindex.slice(0, MAX_STATEMENTS).map(({ statement: { from, agent: name, text } }) => {
      const directive: NoindexDirective = [from, name, cut(text)];
      return this.values.add(directive);
    });
  }

  #canonical(url: string, statements: readonly CanonicalStatement[]): UrlRow['canonical'] {
    const canonical = decideCanonical(url, statements);
    if (canonical.kind === 'absent') return null;
    const counted = statements.filter(({ ignored }) => ignored === null);
    const named =
      canonical.kind === 'other' ? [canonical.url] : canonical.kind === 'conflict' ? canonical.urls : [];
    const targets: Target[] = [];
    for (const each of named.slice(0, MAX_STATEMENTS)) targets.push(this.findTarget(each));
    const sources = (['html', 'header'] as const).filter((source) =>
      counted.some(({ from }) => from === source),
    );
    return { kind: canonical.kind, sources, targets };
  }
}

function findIgnored(statements: readonly CanonicalStatement[]): UrlRow['ignored'] {
  const ignored = statements
    .flatMap(({ from, href, ignored: reason }): IgnoredCanonical[] =>
      reason === null ? [] : [[from, cut(href), reason]],
    )
    .slice(0, MAX_STATEMENTS);
  return ignored.length === 0 ? null : ignored;
}

function cut<Text extends string | null>(text: Text, limit: number = MAX_TEXT): Text | string {
  return text === null ? text : truncate(text, limit);
}
