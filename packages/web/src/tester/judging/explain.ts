/**
 * One decision, explained: which group and why, which of its rules match, which wins and why the others lose.
 *
 * @module
 */
import {
  type CrawlerSpec,
  explainVerdict,
  parse,
  type RobotsTxt,
  type Rule,
  resolveAgent,
  type Verdict,
} from '@maycrawl/core';

/** A token that the crawler looks for. */
export interface Sought {
  readonly token: string;
  /** Lines of the user-agent records that name it. */
  readonly lines: readonly number[];
  /** `used`; `absent`: no group names it; `later`: there is one, but an earlier token was found; `ignored`: not looked for. */
  readonly fate: 'used' | 'absent' | 'later' | 'ignored';
}

/** A rule that matches. */
export interface Candidate {
  readonly line: number;
  readonly kind: Rule['kind'];
  /** As it is written. */
  readonly text: string;
  /** The pattern by which it matches, if it is not what is written. */
  readonly pattern: string | null;
  /** Its length in bytes. */
  readonly priority: number;
  /** `wins`, or why it does not. */
  readonly fate: 'wins' | 'shorter' | 'tie' | 'later' | 'empty';
}

/** All that is shown of one decision. It is data: messages carry it. */
export interface Explanation {
  readonly url: string;
  readonly crawler: string;
  readonly kind: Verdict['kind'];
  /** In plain words. */
  readonly sentence: string;
  /** What was matched; `null` if nothing was. */
  readonly path: string | null;
  readonly isNormalized: boolean;
  /** Line of the deciding rule; 0 if none decided. */
  readonly line: number;
  /** In order of preference, `*` at the end. */
  readonly sought: readonly Sought[];
  /** The rules that match, the winner first. */
  readonly candidates: readonly Candidate[];
  /** How many further ones match. */
  readonly more: number;
  /** How many rules there are in the groups in use. */
  readonly ruleCount: number;
}

const MAX_CANDIDATES = 50;

/** Explains what a file says about a URL and a crawler. */
export function explain(robots: RobotsTxt, name: string, url: string): Explanation {
  const { crawler } = resolveAgent(name);
  const ruleset = robots.ruleset(crawler);
  const verdict = ruleset.decide(url);
  const told = { url, crawler: name, kind: verdict.kind, sentence: explainVerdict(verdict) };
  if (verdict.kind === 'out-of-scope') {
    const nothing = { path: null, isNormalized: false, line: 0, sought: [], candidates: [], more: 0 };
    return { ...told, ...nothing, ruleCount: 0 };
  }
  const { path, normalized, line } = verdict;
  const { rules } = ruleset;
  const isAboutRules = verdict.reason === 'rule' || verdict.reason === 'no-rule-matched';
  const matching = isAboutRules ? matchingRules(robots, rules, path) : [];
  const candidates = rank(matching, line);
  return {
    ...told,
    path,
    isNormalized: normalized,
    line,
    sought: soughtBy(robots, crawler, verdict.group.kind),
    candidates: candidates.slice(0, MAX_CANDIDATES),
    more: Math.max(0, candidates.length - MAX_CANDIDATES),
    ruleCount: rules.length,
  };
}

type Matching = Omit<Candidate, 'fate'>;

/** The rules that match, found by asking about each alone. */
function matchingRules(robots: RobotsTxt, rules: readonly Rule[], path: string): Matching[] {
  const matching: Matching[] = [];
  const isCompared = robots.profile.comparison === 'escaped';
  for (const { kind, value, text, line } of rules) {
    // Most rules of a large file need not be tried: what comes before the first star is not there.
    if (isCompared && value.startsWith('/') && !path.startsWith(literalStart(value))) continue;
    const field = kind === 'allow' ? 'Allow' : 'Disallow';
    const alone = parse(`User-agent: a\n${field}: ${value}`, { profile: robots.profile });
    const verdict = alone.ruleset('a').decide(`http://localhost${path}`);
    if (verdict.kind === 'out-of-scope' || verdict.reason !== 'rule' || verdict.pattern === null) continue;
    const { pattern } = verdict;
    matching.push({
      line,
      kind,
      text,
      pattern: pattern === value ? null : pattern,
      priority: pattern.length,
    });
  }
  return matching;
}

/** The part of a pattern with which every path begins that it matches, also as the directory of an index page. */
function literalStart(pattern: string): string {
  return pattern.split(/\*|\$$|index\.htm/, 1)[0] ?? '';
}

/** The winner first, then the others as they would win without it. */
function rank(matching: readonly Matching[], line: number): Candidate[] {
  const winner = matching.find((each) => each.line === line);
  const isAllow = ({ kind }: Matching): number => (kind === 'allow' ? 1 : 0);
  const others = matching
    .filter((each) => each !== winner)
    .sort((a, b) => b.priority - a.priority || isAllow(b) - isAllow(a) || a.line - b.line);
  if (winner === undefined) return others.map((each) => ({ ...each, fate: 'empty' }));
  return [
    { ...winner, fate: 'wins' },
    ...others.map((each): Candidate => ({ ...each, fate: fateOf(each, winner) })),
  ];
}

function fateOf(overridden: Matching, winner: Matching): Candidate['fate'] {
  if (overridden.priority === 0 && winner.priority > 0) return 'empty';
  if (overridden.priority < winner.priority) return 'shorter';
  return overridden.kind === winner.kind ? 'later' : 'tie';
}

/** What the crawler looks for in the groups, and what of it is there. */
function soughtBy(
  robots: RobotsTxt,
  crawler: CrawlerSpec,
  kind: 'own' | 'fallback' | 'global' | 'none',
): Sought[] {
  const agents = robots.groups().flatMap(({ userAgents }) => userAgents);
  const linesOf = (token: string): number[] =>
    agents
      .filter((agent) => [agent.productToken, agent.extendedToken].includes(token.toLowerCase()))
      .map(({ line }) => line);
  const tokens = 'tokens' in crawler ? crawler.tokens : crawler;
  const obeys = 'obeys' in crawler ? crawler.obeys : 'rules';
  if (obeys === 'nothing') return [];
  let isFound = false;
  const sought = tokens.map((token): Sought => {
    const lines = linesOf(token);
    if (lines.length === 0) return { token, lines, fate: 'absent' };
    const fate = isFound ? 'later' : 'used';
    isFound = true;
    return { token, lines, fate };
  });
  const global = linesOf('*');
  const fate =
    kind === 'global' ? 'used' : obeys === 'own-rules' ? 'ignored' : global.length === 0 ? 'absent' : 'later';
  return [...sought, { token: '*', lines: global, fate }];
}
