// What the owner of a site expects of a robots.txt (`robots.test.yaml`; docs/robots.test.schema.json), and whether it is so.
import {
  explainVerdict,
  isInvalidAgentError,
  parse,
  type RobotsTxt,
  type Ruleset,
  RulesetCache,
  type Verdict,
} from '@maycrawl/core';
import {
  Budget,
  isClaimPattern,
  type NamedCrawler,
  type ProofOptions,
  VerdictProver,
} from '@maycrawl/core/proofs';
import { readYaml, type Wrong } from './read-yaml.ts';

/** The crawler of an expectation; `crawler` is `null` if the name can be that of no crawler, and `message` says why. */
type ExpectedAgent =
  | NamedCrawler
  | { readonly name: string; readonly crawler: null; readonly message: string };

/** What is expected of one crawler's verdicts. */
export interface Expectation {
  readonly agent: ExpectedAgent;
  /** URLs, paths and patterns. */
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

/** One expectation about a URL, or about all URLs that match a pattern, and its result. */
export interface Checked {
  readonly agent: string;
  readonly expected: 'allow' | 'block';
  /** The URL or pattern. */
  readonly target: string;
  /** `null`: not decided, or not valid. */
  readonly passed: boolean | null;
  /** Whether the agent names no crawler, or the target is neither a URL nor a pattern. */
  readonly isInvalid: boolean;
  /** Why not, or what else should be known; empty if all is well. */
  readonly message: string;
}

/** Expectations say something that cannot be. */
export class ExpectationError extends Error {
  override readonly name = 'ExpectationError';
  readonly code = 'invalid-expectations';
}

/** Bytes of the longest text of expectations. The YAML parser takes about three seconds for it. */
export const MAX_EXPECTATIONS_BYTES: number = 512 * 1024;

/**
 * Reads expectations. An expectation with an invalid agent or target stays in the list, so that the others are checked;
 * {@link requireValidExpectations} refuses it.
 *
 * @param named - the crawler that a name means.
 * @throws {ExpectationError} if the text is not a list of expectations, or is too long.
 */
export async function parseExpectations(
  text: string,
  named: (name: string) => NamedCrawler,
): Promise<Expectation[]> {
  const wrong: Wrong = (what, cause) => new ExpectationError(what, { cause });
  if (Buffer.byteLength(text) > MAX_EXPECTATIONS_BYTES)
    throw wrong(`it has more than ${MAX_EXPECTATIONS_BYTES} bytes`);
  const document = await readYaml(text, 'expectation', wrong);
  if (!Array.isArray(document) || document.length === 0)
    throw wrong('it must be a list of expectations, each with "agent" and "allow" or "block"');
  return document.map((entry: unknown, index) => {
    const place = `expectation ${index + 1}`;
    if (typeof entry !== 'object' || entry === null) throw wrong(`${place} is no mapping`);
    const { agent, allow = [], block = [], ...others } = entry as Record<string, unknown>;
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw wrong(`${place} has "${other}", which is not one of agent, allow and block`);
    if (typeof agent !== 'string') throw wrong(`${place} needs "agent", the name of a crawler`);
    if (!isTexts(allow) || !isTexts(block))
      throw wrong(`${place}: "allow" and "block" are lists of URLs and patterns`);
    if (allow.length + block.length === 0) throw wrong(`${place} expects nothing: give "allow" or "block"`);
    return { agent: readAgent(agent, named), allow, block };
  });
}

function readAgent(name: string, named: (name: string) => NamedCrawler): ExpectedAgent {
  try {
    return named(name);
  } catch (cause) {
    if (isInvalidAgentError(cause)) return { name, crawler: null, message: cause.message };
    throw cause;
  }
}

/**
 * Checks that expectations can be checked at all, before they are stored.
 *
 * @throws {ExpectationError} if an agent names no crawler, or a target is neither a URL nor a pattern.
 */
export function requireValidExpectations(expectations: readonly Expectation[]): void {
  const nothing = parse('').ruleset('*');
  for (const [index, { agent, allow, block }] of expectations.entries()) {
    const messages = [...allow, ...block].map((target) => {
      if (isPattern(target)) return describePatternProblem(target);
      const { passed, message } = decide(nothing, target, 'allow');
      return passed === null ? message : undefined;
    });
    const message = agent.crawler === null ? agent.message : messages.find((each) => each !== undefined);
    if (message !== undefined) throw new ExpectationError(`expectation ${index + 1}: ${message}`);
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
}

/** Of what is left of the budget, the proof about one pattern may take this share. */
const SHARE_OF_PROOF = 1 / 8;

/** Work to read a byte of a file for a ruleset. */
const WORK_PER_BYTE = 1 / 10;

/** What checks the expectations about one ruleset. */
interface Checker {
  readonly ruleset: Ruleset;
  readonly prover: VerdictProver;
}

/**
 * Checks whether a file does what is expected: URLs are decided, patterns proved.
 *
 * @param options - what all proofs may take together.
 */
export function checkExpectations(
  robots: RobotsTxt,
  expectations: readonly Expectation[],
  options: ProofOptions = {},
): Checked[] {
  const budget = Budget.from('checkExpectations', options, {});
  const patterns = new Map<string, string[]>();
  for (const { agent, allow, block } of expectations) {
    const own = patterns.get(agent.name) ?? [];
    for (const target of [...allow, ...block])
      if (isPattern(target) && isClaimPattern(target)) own.push(target);
    patterns.set(agent.name, own);
  }
  const rulesets = new RulesetCache(robots);
  const { length } = robots.bytes;
  const checkers = new Map<string, Checker | undefined>();
  const createChecker = ({ name, crawler }: NamedCrawler): Checker | undefined =>
    budget.runWithin(1, () => {
      if (!rulesets.has(crawler)) budget.spend(length * WORK_PER_BYTE);
      const ruleset = rulesets.get(crawler);
      return { ruleset, prover: new VerdictProver(ruleset, patterns.get(name) ?? [], { budget }) };
    });
  const getChecker = (agent: NamedCrawler): Checker | undefined => {
    if (!checkers.has(agent.name)) checkers.set(agent.name, createChecker(agent));
    return checkers.get(agent.name);
  };
  return expectations.flatMap(({ agent, allow, block }) => {
    const judge = (expected: Checked['expected'], target: string): Checked => {
      const { passed, isInvalid, message } =
        agent.crawler === null ? invalid(agent.message) : judgeTarget(getChecker(agent), target, expected);
      return { agent: agent.name, expected, target, passed, isInvalid, message };
    };
    return [
      ...allow.map((target) => judge('allow', target)),
      ...block.map((target) => judge('block', target)),
    ];
  });
}

/**
 * Checks one expectation about a crawler: a URL is decided, a pattern proved.
 *
 * @param target - the URL or pattern.
 */
export function checkExpectation(
  robots: RobotsTxt,
  { crawler }: NamedCrawler,
  target: string,
  expected: Checked['expected'],
): Outcome {
  const ruleset = robots.ruleset(crawler);
  const patterns = isPattern(target) && isClaimPattern(target) ? [target] : [];
  return judgeTarget({ ruleset, prover: new VerdictProver(ruleset, patterns) }, target, expected);
}

/** A pattern is what has a star or ends with `$`. Anything else is one URL. */
export function isPattern(target: string): boolean {
  return target.includes('*') || target.endsWith('$');
}

/** The result of one expectation, with what shows it. */
export interface Outcome extends Pick<Checked, 'passed' | 'isInvalid' | 'message'> {
  /** A URL with another verdict than the expected one; `null` if no such URL exists, or the search found no example. */
  readonly counterexample: { readonly url: string; readonly verdict: Verdict } | null;
  /** Whether no URL that can be requested matches the pattern. */
  readonly isVacuous: boolean;
}

/** An outcome that no URL shows. */
const NO_EXAMPLE = { counterexample: null, isVacuous: false } as const;

const UNDECIDED: Outcome = {
  ...NO_EXAMPLE,
  passed: null,
  isInvalid: false,
  message: 'not decided: the rules are too entangled',
};

function invalid(message: string): Outcome {
  return { ...NO_EXAMPLE, passed: null, isInvalid: true, message };
}

function judgeTarget(checker: Checker | undefined, target: string, expected: Checked['expected']): Outcome {
  const message = isPattern(target) ? describePatternProblem(target) : undefined;
  if (message !== undefined) return invalid(message);
  if (checker === undefined) return UNDECIDED;
  return isPattern(target)
    ? prove(checker.prover, target, expected)
    : decide(checker.ruleset, target, expected);
}

function decide(ruleset: Ruleset, url: string, expected: Checked['expected']): Outcome {
  const verdict = ruleset.decide(url);
  if (verdict.kind === 'out-of-scope') return invalid(`"${url}": ${explainVerdict(verdict)}`);
  const passed = verdict.allowed === (expected === 'allow');
  if (passed) return { ...NO_EXAMPLE, passed, isInvalid: false, message: '' };
  const counterexample = { url, verdict };
  return { passed, isInvalid: false, message: explainVerdict(verdict), counterexample, isVacuous: false };
}

/** Describes why a text is no pattern; `undefined` if it is one. */
function describePatternProblem(pattern: string): string | undefined {
  return isClaimPattern(pattern) ? undefined : `"${pattern}" is no pattern: it begins with "/" or "*"`;
}

function prove(prover: VerdictProver, pattern: string, expected: Checked['expected']): Outcome {
  const {
    isTrue: passed,
    counterexample,
    isVacuous,
  } = prover.prove(pattern, expected === 'allow', SHARE_OF_PROOF);
  if (counterexample !== null) {
    const { path: url, verdict } = counterexample;
    const message = `not ${url}: ${explainVerdict(verdict)}`;
    return { passed, isInvalid: false, message, counterexample: { url, verdict }, isVacuous };
  }
  if (passed === null) return UNDECIDED;
  const message = isVacuous ? 'no URL that can be requested is described' : '';
  return { passed, isInvalid: false, message, counterexample: null, isVacuous };
}
