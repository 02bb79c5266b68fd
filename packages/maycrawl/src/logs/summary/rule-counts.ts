// How often each rule of a robots.txt decided about requests, by crawler.
import { type Allowed, type Disallowed, type Profile, parse } from '@maycrawl/core';
import type { Timeline, Version } from '../rules/timeline.ts';
import type { LogSummary, RuleUse } from './log-summary.ts';

/** Rules with counts: a hostile log has as many versions as it likes, but a site does not. */
const MAX_RULES = 20_000;
/** Rules in a summary. */
const MAX_LISTED = 1_000;

interface RuleCount {
  readonly kind: 'allow' | 'disallow';
  readonly rule: string;
  readonly line: number;
  readonly byCrawler: Map<string, number>;
}

/** The counts of one site. */
export class RuleCounts {
  readonly #versions: Map<Version, Map<number, RuleCount>> = new Map();
  #count = 0;

  /** Counts the rule that decided, if one did. */
  add(version: Version, verdict: Allowed | Disallowed, crawler: string): void {
    const { line } = verdict;
    if (line === 0) return;
    const rules = this.#versions.get(version) ?? new Map<number, RuleCount>();
    this.#versions.set(version, rules);
    const count = rules.get(line) ?? this.#create(rules, verdict);
    if (count !== undefined) count.byCrawler.set(crawler, (count.byCrawler.get(crawler) ?? 0) + 1);
  }

  #create(rules: Map<number, RuleCount>, { line, rule }: Allowed | Disallowed): RuleCount | undefined {
    if (rule === null || this.#count >= MAX_RULES) return undefined;
    this.#count++;
    const kind = rule.kind === 'allow' ? 'allow' : 'disallow';
    const count = { kind, rule: rule.value, line, byCrawler: new Map<string, number>() } as const;
    rules.set(line, count);
    return count;
  }

  /** Lists the rules that decided, those with the most requests first. @param site - the origin. */
  list(site: string): RuleUse[] {
    const uses = [...this.#versions].flatMap(([{ name: version }, rules]) =>
      [...rules.values()].map(({ byCrawler, ...rule }) => {
        const crawlers = [...byCrawler]
          .map(([crawler, requests]) => ({ crawler, requests }))
          .sort((a, b) => b.requests - a.requests);
        const requests = crawlers.reduce((sum, each) => sum + each.requests, 0);
        return { site, version, ...rule, requests, crawlers };
      }),
    );
    return uses.sort((a, b) => b.requests - a.requests).slice(0, MAX_LISTED);
  }

  /** Lists the rules of the newest version that decided about no request. An empty rule decides about nothing. */
  listUnused(site: string, timeline: Timeline, profile: Profile): LogSummary['unusedRules'] {
    const newest = timeline.versions.at(-1);
    if (newest === undefined) return [];
    const used = this.#versions.get(newest);
    const rules = parse(newest.body, { profile })
      .groups()
      .flatMap((group) => group.rules);
    return rules
      .filter(({ line, value }) => value !== '' && used?.has(line) !== true)
      .slice(0, MAX_LISTED)
      .map(({ kind, value, line }) => ({ site, version: newest.name, kind, rule: value, line }));
  }
}
