// Statements about a robots.txt for all URLs, with the messages of failed tests. Each message has an example URL, and the line and rule that
// decide it.
import { explainVerdict, resolveAgent, type Verdict } from '@maycrawl/core';
import { checkOptions, requireString, truncate } from '@maycrawl/core/internal';
import { ANY_OTHER_CRAWLER, compareFiles, type NamedCrawler } from '@maycrawl/core/proofs';
import { checkExpectation, isPattern } from '../expectations/expectations.ts';
import { formatCount } from '../text/counts.ts';
import { formatCrawlers } from '../text/crawler-names.ts';
import { visible } from '../text/printable.ts';
import type { RobotsSource } from './robots-source.ts';
import { RobotsTestError } from './robots-test-error.ts';

/** The crawler of a statement. */
export interface AgentOptions {
  /** An agent name (`resolveAgent`): a product token, a crawler of the catalogue, a User-Agent header, or `*` for any crawler that the file does not name. */
  readonly agent: string;
}

/** A statement that was proved or refuted. */
export interface Statement {
  readonly isTrue: boolean;
  /** Describes why a test fails that expects the statement, or, if `isNegated`, its opposite. */
  readonly describe: (isNegated: boolean) => string;
}

/** A statement about a robots.txt, before it is read. */
export type Claim = (source: RobotsSource) => Statement;

/** Characters of the longest URL or explanation in a message. */
const MAX_CHARS = 1000;
/** Number of changes in a message. */
const MAX_CHANGES = 5;

/**
 * Creates the claim that all URLs of a pattern are allowed, or that all are disallowed.
 *
 * @param owner - the function of the caller, for messages.
 * @param target - a URL or pattern, as in `robots.test.yaml`.
 * @throws {TypeError} {RangeError} if the target or the agent is invalid.
 */
export function claimVerdicts(
  owner: string,
  expected: 'allow' | 'block',
  target: string,
  options: AgentOptions,
): Claim {
  requireString(`${owner}: the pattern`, target);
  checkOptions(owner, options, { agent: 'string' }, ['agent']);
  const agent = resolveAgent(options.agent);
  return (source) => {
    const outcome = checkExpectation(source.robots, agent, target, expected);
    const { passed, isInvalid, isVacuous, counterexample } = outcome;
    if (isInvalid) throw new RangeError(`${owner}: ${visible(outcome.message)}`);
    const title = `${owner}(${JSON.stringify(target)}, { agent: ${JSON.stringify(options.agent)} })`;
    if (passed === null) throw new RobotsTestError('undecided', `${visible(title)}: ${outcome.message}`);
    if (isVacuous) {
      const problem = 'no URL that can be requested matches the pattern, so this would prove nothing';
      throw new RobotsTestError('vacuous', `${visible(title)}: ${problem}`);
    }
    const describe = (isNegated: boolean): string => {
      const opposite = expected === 'allow' ? 'block' : 'allow';
      // A true statement has no counterexample, but its opposite has one.
      const example =
        counterexample ?? checkExpectation(source.robots, agent, target, opposite).counterexample;
      const shown = example === null ? [] : describeVerdict(example.url, example.verdict);
      return formatMessage(title, isNegated, [
        ['Expected', describeClaim(expected, target, agent, isNegated)],
        ...shown,
        ['Robots.txt', source.description],
      ]);
    };
    return { isTrue: passed, describe };
  };
}

function describeClaim(
  expected: 'allow' | 'block',
  target: string,
  { name }: NamedCrawler,
  isNegated: boolean,
): string {
  const state = expected === 'allow' ? 'allowed' : 'disallowed';
  const crawler = name === ANY_OTHER_CRAWLER ? 'any crawler without a group of its own' : name;
  if (!isPattern(target)) return `${target} is ${isNegated ? 'not ' : ''}${state} for ${crawler}`;
  const urls = `all URLs that match ${target} are ${state} for ${crawler}`;
  return isNegated ? `it is not so that ${urls}` : urls;
}

function describeVerdict(url: string, verdict: Verdict): Row[] {
  return [
    ['Example', url],
    ['Verdict', explainVerdict(verdict)],
  ];
}

/**
 * Compares two files, for all crawlers and URLs.
 *
 * @throws {RobotsTestError} if the proofs exceeded their budget, and no difference was found.
 */
export function compareSources(owner: string, received: RobotsSource, other: RobotsSource): Statement {
  const { equivalent, comparisons } = compareFiles(other.robots, received.robots);
  const title = `${owner}(other)`;
  if (equivalent === null)
    throw new RobotsTestError('undecided', `${title}: not decided: the rules are too entangled`);
  const describe = (isNegated: boolean): string => {
    const changes = comparisons.flatMap(({ crawlers, changes: own }) =>
      own.map((each) => ({ crawlers, ...each })),
    );
    const rows = changes.slice(0, MAX_CHANGES).flatMap(({ crawlers, example, before, after }): Row[] => [
      ['Example', `${example} for ${formatCrawlers(crawlers.map(({ name }) => name))}`],
      ['  received', explainVerdict(after)],
      ['  other', explainVerdict(before)],
    ]);
    const more = changes.length - MAX_CHANGES;
    const statement = 'every URL has the same verdict for every crawler';
    return formatMessage(title, isNegated, [
      ['Expected', isNegated ? 'at least one URL has another verdict' : statement],
      ...(isNegated ? ([['Proved', statement]] as const) : rows),
      ...(more > 0 ? ([['More', formatCount(more, 'difference')]] as const) : []),
      ['Received', received.description],
      ['Other', other.description],
    ]);
  };
  return { isTrue: equivalent, describe };
}

type Row = readonly [label: string, text: string];

/** Formats the message of a failed test. Content of files is shown without its control characters. */
function formatMessage(title: string, isNegated: boolean, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(
    ([label, text]) => `${`${label}:`.padEnd(width + 2)}${visible(truncate(text, MAX_CHARS))}`,
  );
  return [`${isNegated ? 'not ' : ''}${visible(truncate(title, MAX_CHARS))}`, '', ...lines].join('\n');
}
