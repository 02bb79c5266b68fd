/**
 * The smallest file that can be found with the same verdicts for every crawler and URL.
 *
 * @module
 */
import { HASH, LF } from '../ascii.ts';
import type { RobotsTxt } from '../document.ts';
import { parse } from '../parse.ts';
import { decodeUtf8, encodeUtf8 } from '../platform.ts';
import type { RobotsRecord } from '../record.ts';
import { Budget, type ProofOptions } from './budget.ts';

import { findDeadRulesWithin } from './dead-rules.ts';
import { Original } from './original.ts';

export interface MinifyOptions extends ProofOptions {
  /** Keep the comments of what is kept; left out they go. */
  readonly comments?: boolean;
}

/** A smaller file, or the same one. */
export interface Minified {
  /** The file; what it was given if nothing smaller could be found and proved. */
  readonly bytes: Uint8Array;
  /** Whether it has the same verdicts: always, unless that took more than it may. Then `bytes` is the file as it was. */
  readonly isProved: boolean;
}

/** A group as it will be written: the crawlers, and what they share. */
interface Block {
  /** As they are written, by token. */
  readonly agents: Map<string, string>;
  /** Comments above it. */
  readonly above: readonly string[];
  readonly lines: readonly string[];
}

/** Of what is left for all proofs, so much may go into dead rules, and into each of the other attempts. The rest is for the last one. */
const SHARE_OF_DEAD_RULES = 1 / 2;
const SHARE_OF_ATTEMPT = 1 / 8;

/**
 * Makes a file smaller: dead rules go, groups with the same content become one, crawlers that would obey the same rules without
 * being named go, stars at the end of patterns go, comments and spaces go. Sitemaps and all records that are no part
 * of the protocol are kept. The result is compared with the file before it is given.
 *
 * Crawlers are those that the file names, those of the catalogue with their fallbacks, and any other.
 */
export function minify(robots: RobotsTxt, options: MinifyOptions = {}): Minified {
  const { bytes, profile, maxBytes } = robots;
  const reparse = (content: Uint8Array): RobotsTxt => parse(content, { profile, maxBytes });
  const budget = new Budget(options.maxStates);
  const original = new Original(reparse(bytes), budget);
  const isSame = (content: Uint8Array): boolean => original.isEquivalent(reparse(content));
  let best = bytes;
  for (let isProved = false; ; isProved = true) {
    const smaller = rewrite(reparse(best), isSame, budget, options);
    if (smaller.length >= best.length) return { bytes: best, isProved: true };
    const proof = budget.within(1, () => isSame(smaller));
    if (proof === undefined) return { bytes: best, isProved };
    if (!proof) throw new Error('a proof went wrong: the smaller file differs');
    best = smaller;
  }
}

/** The file written anew, smaller where that can be proved step by step. */
function rewrite(
  robots: RobotsTxt,
  isSame: (bytes: Uint8Array) => boolean,
  budget: Budget,
  options: MinifyOptions,
): Uint8Array {
  const comments = options.comments ? commentsOf(robots) : new Map<number, readonly string[]>();
  const weight = budget.within(SHARE_OF_DEAD_RULES, () => findDeadRulesWithin(robots, budget).rules) ?? [];
  const dead = new Set(weight.map(({ line }) => line));
  let blocks = blocksOf(robots, dead, comments);
  const outside = outsideOf(robots, comments);
  const write = (list: readonly Block[]): Uint8Array => encodeUtf8(writeBlocks(list, outside));
  const attempt = (list: readonly Block[]): boolean => {
    const bytes = write(list);
    const isWorth = bytes.length < write(blocks).length;
    if (!isWorth || budget.within(SHARE_OF_ATTEMPT, () => isSame(bytes)) !== true) return false;
    blocks = [...list];
    return true;
  };
  // All at once, and where that is not the same, one at a time.
  if (!attempt(blocks.map(withoutStars))) {
    for (const index of blocks.keys())
      attempt(blocks.map((block, at) => (at === index ? withoutStars(block) : block)));
  }
  // What else is said to a crawler than rules is said by naming it.
  const agents = blocks.filter(hasOnlyRules).flatMap((block) => [...block.agents.keys()]);
  for (const agent of agents) attempt(withoutAgent(blocks, agent));
  return write(blocks);
}

/** For each line with a record, the comments above and on it; under 0 those behind the last. */
function commentsOf(robots: RobotsTxt): Map<number, readonly string[]> {
  const comments = new Map<number, readonly string[]>();
  let waiting: string[] = [];
  const recorded = new Set(robots.records().map(({ line }) => line));
  for (const scanner = robots.scan(); scanner.next(); ) {
    const { bytes, commentStart, contentEnd, line } = scanner;
    if (bytes[commentStart] === HASH && commentStart < contentEnd)
      waiting.push(decodeUtf8(bytes, commentStart, contentEnd));
    if (!recorded.has(line)) continue;
    comments.set(line, waiting);
    waiting = [];
  }
  comments.set(0, waiting);
  return comments;
}

/** One block for all crawlers with the same rules and other records. */
function blocksOf(
  robots: RobotsTxt,
  dead: ReadonlySet<number>,
  comments: ReadonlyMap<number, readonly string[]>,
): Block[] {
  const byAgent = new Map<string, { written: string; above: string[]; lines: string[] }>();
  for (const { userAgents, rules, others } of robots.groups()) {
    const kept = [...rules.filter(({ line }) => !dead.has(line)), ...others].sort((a, b) => a.line - b.line);
    const lines = kept.flatMap((record) => [...(comments.get(record.line) ?? []), lineOf(record)]);
    for (const { token, text, line } of userAgents) {
      // It names nobody.
      if (token === '') continue;
      const known = byAgent.get(token) ?? { written: text.slice(0, token.length), above: [], lines: [] };
      known.above.push(...(comments.get(line) ?? []));
      known.lines.push(...lines);
      byAgent.set(token, known);
    }
  }
  const blocks = new Map<string, Block>();
  for (const [token, { written, above, lines }] of byAgent) {
    // The order of rules means nothing; that of other records may.
    const isRule = (each: string): boolean => RULE.test(each);
    const key = JSON.stringify([lines.filter(isRule).sort(), lines.filter((each) => !isRule(each))]);
    const { agents, above: others } = blocks.get(key) ?? { agents: new Map(), above: [] };
    blocks.set(key, { agents: agents.set(token, written), above: [...others, ...above], lines });
  }
  // One without rules is closed by the end of the file for nothing.
  return [...blocks.values()].sort((a, b) => Number(hasNoRule(a)) - Number(hasNoRule(b)));
}

/** What stands in no group: sitemaps, and records before the first group. */
function outsideOf(robots: RobotsTxt, comments: ReadonlyMap<number, readonly string[]>): readonly string[] {
  const inGroups = new Set(robots.groups().flatMap(({ others }) => others.map(({ line }) => line)));
  const outside = robots
    .records()
    .filter(({ kind, line }) => kind === 'sitemap' || (kind === 'other' && !inGroups.has(line)));
  return [
    ...outside.flatMap((record) => [...(comments.get(record.line) ?? []), lineOf(record)]),
    ...(comments.get(0) ?? []),
  ];
}

const RULE = /^(?:dis)?allow:/;

function hasOnlyRules({ lines }: Block): boolean {
  return lines.every((line) => RULE.test(line) || line.startsWith('#'));
}

function hasNoRule({ lines }: Block): boolean {
  return !lines.some((line) => RULE.test(line));
}

/** A record without spaces. */
function lineOf({ kind, field, text, value }: RobotsRecord): string {
  // What is no UTF-8 is written escaped, which is the same.
  const content = text.includes('\ufffd') ? value : text;
  return `${kind === 'other' ? field : kind}:${content}`;
}

/** The blocks without one crawler; a block that was for it alone goes with it. */
function withoutAgent(blocks: readonly Block[], agent: string): Block[] {
  const rest = blocks.map((block) => ({
    ...block,
    agents: new Map([...block.agents].filter(([token]) => token !== agent)),
  }));
  return rest.filter(({ agents }) => agents.size > 0);
}

/** The same patterns, without stars at their end. */
function withoutStars({ lines, ...rest }: Block): Block {
  return { ...rest, lines: lines.map((line) => (RULE.test(line) ? line.replace(/(:.+?)\*+$/, '$1') : line)) };
}

function writeBlocks(blocks: readonly Block[], outside: readonly string[]): string {
  const lines: string[] = [...outside];
  for (const [index, block] of blocks.entries()) {
    lines.push(...block.above);
    for (const agent of block.agents.values()) lines.push(`user-agent:${agent}`);
    lines.push(...block.lines);
    // Without a rule the next group would be a part of this one.
    if (hasNoRule(block) && index < blocks.length - 1) lines.push('disallow:');
  }
  return lines.map((line) => `${line}${String.fromCharCode(LF)}`).join('');
}
