// Explains one verdict: the group and why it applies, its matching rules, the winner, and why the others lose.
import {
  type CrawlerSpec,
  explainVerdict,
  parse,
  type RobotsTxt,
  type Rule,
  resolveAgent,
  type Verdict,
} from '@maycrawl/core';

/** A product token of the crawler, for which it searches the groups. */
export interface SearchedToken {
  readonly token: string;
  /** Lines of the matching user-agent records. */
  readonly lines: readonly number[];
  /** `absent`: no group has it; `later`: one has, but an earlier token was found; `ignored`: the crawler does not obey it. */
  readonly result: 'used' | 'absent' | 'later' | 'ignored';
}

/** A matching rule. */
export interface Candidate {
  readonly line: number;
  readonly kind: Rule['kind'];
  /** As in the file. */
  readonly text: string;
  /** The pattern that matches; `null` if it is the text. */
  readonly pattern: string | null;
  /** Its length in bytes. */
  readonly priority: number;
  /** `wins`, or why it loses. */
  readonly result: 'wins' | 'shorter' | 'tie' | 'later' | 'empty';
}

/** An explanation, as data for messages between threads. */
export interface Explanation {
  readonly url: string;
  readonly crawler: string;
  readonly kind: Verdict['kind'];
  readonly sentence: string;
  /** The path that rules were matched with; `null` if there is none. */
  readonly path: string | null;
  readonly isNormalized: boolean;
  /** Line of the deciding rule; 0 if none decided. */
  readonly line: number;
  /** By preference, with `*` at the end. */
  readonly tokens: readonly SearchedToken[];
  /** Matching rules, the winner first. */
  readonly candidates: readonly Candidate[];
  /** The number of further matching rules. */
  readonly more: number;
  /** The number of rules in the groups that apply. */
  readonly ruleCount: number;
}

const MAX_CANDIDATES = 50;

/** Explains the verdict of a file for a URL and a crawler. */
export function explain(robots: RobotsTxt, name: string, url: string): Explanation {
  const { crawler } = resolveAgent(name);
  const ruleset = robots.ruleset(crawler);
  const verdict = ruleset.decide(url);
  const known = { url, crawler: name, kind: verdict.kind, sentence: explainVerdict(verdict) };
  if (verdict.kind === 'out-of-scope') {
    const nothing = { path: null, isNormalized: false, line: 0, tokens: [], candidates: [], more: 0 };
    return { ...known, ...nothing, ruleCount: 0 };
  }
  const { path, normalized, line } = verdict;
  const { rules } = ruleset;
  const isAboutRules = verdict.reason === 'rule' || verdict.reason === 'no-rule-matched';
  const matching = isAboutRules ? findMatchingRules(robots, rules, path) : [];
  const candidates = rank(matching, line);
  return {
    ...known,
    path,
    isNormalized: normalized,
    line,
    tokens: searchGroups(robots, crawler, verdict.group.kind),
    candidates: candidates.slice(0, MAX_CANDIDATES),
    more: Math.max(0, candidates.length - MAX_CANDIDATES),
    ruleCount: rules.length,
  };
}

type Matching = Omit<Candidate, 'result'>;

/** Finds matching rules: each is evaluated in a file of its own. */
function findMatchingRules(robots: RobotsTxt, rules: readonly Rule[], path: string): Matching[] {
  const matching: Matching[] = [];
  const isCompared = robots.profile.comparison === 'escaped';
  for (const { kind, value, text, line } of rules) {
    // Skips most rules of a large file: the path does not begin with the part before the first star.
    if (isCompared && value.startsWith('/') && !path.startsWith(literalStart(value))) continue;
    const field = kind === 'allow' ? 'Allow' : 'Disallow';
    const alone = parse(encodeRule(field, value), { profile: robots.profile });
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

/**
 * Encodes a file with one rule. Escaped bytes from 0x80 on become bytes again: a long pattern would otherwise exceed the length of a
 * line, which counts before escaping.
 */
function encodeRule(field: 'Allow' | 'Disallow', value: string): Uint8Array {
  const raw = value.replace(/%([89A-F][\dA-F])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Uint8Array.from(`User-agent: a\n${field}:${raw}`, (char) => char.charCodeAt(0));
}

/** The literal beginning of a pattern, and of the directory if it is an index page. */
function literalStart(pattern: string): string {
  return pattern.split(/\*|\$$|index\.htm/, 1)[0] ?? '';
}

/** Sorts the winner first, then the others by precedence. */
function rank(matching: readonly Matching[], line: number): Candidate[] {
  const winner = matching.find((each) => each.line === line);
  const isAllow = ({ kind }: Matching): number => (kind === 'allow' ? 1 : 0);
  const others = matching
    .filter((each) => each !== winner)
    .sort((a, b) => b.priority - a.priority || isAllow(b) - isAllow(a) || a.line - b.line);
  if (winner === undefined) return others.map((each) => ({ ...each, result: 'empty' }));
  return [
    { ...winner, result: 'wins' },
    ...others.map((each): Candidate => ({ ...each, result: getResult(each, winner) })),
  ];
}

function getResult(loser: Matching, winner: Matching): Candidate['result'] {
  if (loser.priority === 0 && winner.priority > 0) return 'empty';
  if (loser.priority < winner.priority) return 'shorter';
  return loser.kind === winner.kind ? 'later' : 'tie';
}

function searchGroups(
  robots: RobotsTxt,
  crawler: CrawlerSpec,
  kind: 'own' | 'fallback' | 'global' | 'none',
): SearchedToken[] {
  const agents = robots.groups().flatMap(({ userAgents }) => userAgents);
  const findLines = (token: string): number[] =>
    agents
      .filter((agent) => [agent.productToken, agent.extendedToken].includes(token.toLowerCase()))
      .map(({ line }) => line);
  const tokens = 'tokens' in crawler ? crawler.tokens : crawler;
  const obeys = 'obeys' in crawler ? crawler.obeys : 'rules';
  if (obeys === 'nothing') return [];
  let isFound = false;
  const searched = tokens.map((token): SearchedToken => {
    const lines = findLines(token);
    if (lines.length === 0) return { token, lines, result: 'absent' };
    const result = isFound ? 'later' : 'used';
    isFound = true;
    return { token, lines, result };
  });
  const global = findLines('*');
  const result =
    kind === 'global' ? 'used' : obeys === 'own-rules' ? 'ignored' : global.length === 0 ? 'absent' : 'later';
  return [...searched, { token: '*', lines: global, result }];
}
