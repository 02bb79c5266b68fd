/**
 * Judges what a robots.txt says besides its rules: crawl delays, declarations about the use of content, findings, and the software that
 * wrote it. One pass over the records decides what has to be read at all, because most files say nothing of this.
 *
 * @module
 */
import {
  type CrawlerSpec,
  MAX_FILE_BYTES,
  type RobotsRecord,
  type RobotsTxt,
  type RulesetCache,
  readCrawlDelays,
} from '@maycrawl/core';
import { lint, lintPreferences } from '@maycrawl/core/lint';
import { isDeclaringField, POLICY_TOKENS } from '@maycrawl/core/preferences';
import {
  type DeclaredPreferences,
  NO_PREFERENCES,
  readDeclaredPreferences,
  readGovernedPreferences,
} from './declared-preferences.ts';
import { countFindings, type FindingCount } from './findings.ts';
import { findGenerators } from './generators.ts';
import { getTokens, JudgedAgents } from './judged-agents.ts';

/** The crawl delay of an agent. */
export interface AgentDelay {
  readonly agent: string;
  readonly seconds: number;
}

/** What a file says besides its rules. */
export interface BodyContent extends DeclaredPreferences {
  /** The number of Crawl-delay lines. */
  readonly crawlDelayLines: number;
  /** For `*` and each judged agent that has a delay. */
  readonly crawlDelays: readonly AgentDelay[];
  /** The findings about declarations and managed blocks. */
  readonly preferenceFindings: readonly FindingCount[];
  /** All findings of the linter; `null` if it was not run. */
  readonly findings: readonly FindingCount[] | null;
  /** The programs that wrote the file or parts of it. */
  readonly generators: readonly string[];
}

/** A parsed body. */
export interface ParsedBody {
  readonly body: Uint8Array;
  readonly robots: RobotsTxt;
  readonly records: readonly RobotsRecord[];
  readonly rulesets: RulesetCache;
}

/** Tokens of groups that declare preferences, in lower case. */
const POLICY_NAMES: readonly string[] = toLowerCase(POLICY_TOKENS.map(({ token }) => token));

/** Words of all comments on which the linter's findings about managed blocks and licences depend. */
const COMMENT_WORDS = /accessing|managed content/i;

/** Judges the content of bodies for the same agents. */
export class ContentJudge {
  readonly #agents: JudgedAgents;
  readonly #isLinting: boolean;
  /** Tokens of agents that policy tokens govern, in lower case. */
  readonly #governedNames: readonly string[];

  /**
   * @param isLinting - whether the whole linter runs.
   * @throws {RangeError} if no user-agent line can name an agent.
   */
  constructor(agents: readonly string[], isLinting: boolean) {
    this.#agents = new JudgedAgents(agents);
    this.#isLinting = isLinting;
    this.#governedNames = toLowerCase(this.#agents.governed.flatMap(({ crawler }) => listNames(crawler)));
  }

  judge({ body, robots, records, rulesets }: ParsedBody): BodyContent {
    let crawlDelayLines = 0;
    let [isDeclaring, isGoverning] = [false, false];
    for (const { kind, field, text } of records) {
      if (kind === 'other') {
        if (isCrawlDelay(field)) crawlDelayLines++;
        else isDeclaring ||= isDeclaringField(field);
      } else if (kind === 'user-agent') {
        isDeclaring ||= startsWithAny(text, POLICY_NAMES);
        isGoverning ||= startsWithAny(text, this.#governedNames);
      }
    }
    const text = Buffer.from(
      body.buffer,
      body.byteOffset,
      Math.min(body.byteLength, MAX_FILE_BYTES),
    ).toString('latin1');
    const hasFindings = isDeclaring || COMMENT_WORDS.test(text);
    return {
      crawlDelayLines,
      crawlDelays: crawlDelayLines === 0 ? [] : this.#readDelays(rulesets),
      ...this.#readPreferences(robots, rulesets, isDeclaring, isGoverning),
      preferenceFindings: hasFindings ? countFindings(lintPreferences(robots)) : [],
      findings: this.#isLinting ? countFindings(lint(robots)) : null,
      generators: findGenerators(text),
    };
  }

  /** Returns the content of an HTML page without rules: it says nothing to crawlers. */
  judgePage(robots: RobotsTxt): BodyContent {
    return {
      ...NO_PREFERENCES,
      ...{ crawlDelayLines: 0, crawlDelays: [], preferenceFindings: [], generators: [] },
      findings: this.#isLinting ? countFindings(lint(robots)) : null,
    };
  }

  #readPreferences(
    robots: RobotsTxt,
    rulesets: RulesetCache,
    isDeclaring: boolean,
    isGoverning: boolean,
  ): DeclaredPreferences {
    if (isDeclaring) return readDeclaredPreferences(robots, this.#agents, rulesets);
    // Without groups of their own, agent and token have the same rules.
    return isGoverning ? readGovernedPreferences(robots, this.#agents, rulesets) : NO_PREFERENCES;
  }

  #readDelays(rulesets: RulesetCache): AgentDelay[] {
    const sets = this.#agents.divide(rulesets);
    const delays = readCrawlDelays(sets.map(({ ruleset }) => ruleset));
    return sets.flatMap(({ names }, index) => {
      const seconds = delays[index] ?? null;
      return seconds === null ? [] : names.map((agent) => ({ agent, seconds }));
    });
  }
}

function isCrawlDelay(field: string): boolean {
  return field.length === CRAWL_DELAY.length && field.toLowerCase() === CRAWL_DELAY;
}

const CRAWL_DELAY = 'crawl-delay';

/** Lists the beginnings of user-agent lines that give a crawler other rules than its policy token: all for one that ignores `*`. */
function listNames(crawler: CrawlerSpec): readonly string[] {
  const obeysGlobal = !('obeys' in crawler) || crawler.obeys === 'rules';
  return obeysGlobal ? getTokens(crawler) : [''];
}

/** Whether the value of a user-agent line begins with one of the names. */
function startsWithAny(text: string, names: readonly string[]): boolean {
  return names.some((name) => text.slice(0, name.length).toLowerCase() === name);
}

function toLowerCase(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase());
}
