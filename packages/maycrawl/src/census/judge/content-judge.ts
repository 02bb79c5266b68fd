/**
 * Judges what a robots.txt says besides its rules: crawl delays, declarations about the use of content, findings, and the software that
 * wrote it. A search for a few words decides what is read at all, because most files say nothing of this.
 *
 * @module
 */
import {
  type CrawlerSpec,
  MAX_FILE_BYTES,
  type RobotsTxt,
  RulesetCache,
  readCrawlDelays,
} from '@maycrawl/core';
import { lint, lintPreferences } from '@maycrawl/core/lint';
import { DECLARING_FIELDS, POLICY_TOKENS } from '@maycrawl/core/preferences';
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

const CRAWL_DELAY = 'crawl-delay';
/** Occur in every file that declares preferences. */
const DECLARING_WORDS: readonly string[] = [
  ...DECLARING_FIELDS,
  ...POLICY_TOKENS.map(({ token }) => token.toLowerCase()),
];
/** Occur in the comments on which the linter's findings about managed blocks and licences depend. */
const COMMENT_WORDS: readonly string[] = ['accessing', 'managed content'];

/** Judges the content of bodies for the same agents. */
export class ContentJudge {
  readonly #agents: JudgedAgents;
  readonly #isLinting: boolean;
  /** One of them occurs in every file that gives an agent other rules than its policy token, and names no policy token. */
  readonly #governedWords: readonly string[];

  /**
   * @param isLinting - whether the whole linter runs.
   * @throws {RangeError} if no user-agent line can name an agent.
   */
  constructor(agents: readonly string[], isLinting: boolean) {
    this.#agents = new JudgedAgents(agents);
    this.#isLinting = isLinting;
    this.#governedWords = this.#agents.governed.flatMap(({ crawler }) => listWords(crawler));
  }

  /** Judges the content of a body that is no HTML page. */
  judge(body: Uint8Array, robots: RobotsTxt): BodyContent {
    const text = readText(body);
    const lowerCase = text.toLowerCase();
    const hasWord = (words: readonly string[]): boolean => words.some((word) => lowerCase.includes(word));
    const isDeclaring = hasWord(DECLARING_WORDS);
    return {
      ...(hasWord([CRAWL_DELAY]) ? this.#readDelays(robots) : NO_DELAYS),
      ...(isDeclaring || hasWord(this.#governedWords)
        ? this.#readPreferences(robots, isDeclaring)
        : NO_PREFERENCES),
      preferenceFindings: isDeclaring || hasWord(COMMENT_WORDS) ? countFindings(lintPreferences(robots)) : [],
      findings: this.#lint(robots),
      generators: findGenerators(text),
    };
  }

  /** Returns the content of an HTML page without rules: it says nothing to crawlers. */
  judgePage(robots: RobotsTxt): BodyContent {
    return {
      ...{ ...NO_DELAYS, ...NO_PREFERENCES, preferenceFindings: [], generators: [] },
      findings: this.#lint(robots),
    };
  }

  #lint(robots: RobotsTxt): FindingCount[] | null {
    return this.#isLinting ? countFindings(lint(robots)) : null;
  }

  #readPreferences(robots: RobotsTxt, isDeclaring: boolean): DeclaredPreferences {
    const rulesets = new RulesetCache(robots);
    return (isDeclaring ? readDeclaredPreferences : readGovernedPreferences)(robots, this.#agents, rulesets);
  }

  #readDelays(robots: RobotsTxt): Pick<BodyContent, 'crawlDelayLines' | 'crawlDelays'> {
    const isDelay = (field: string): boolean =>
      field.length === CRAWL_DELAY.length && field.toLowerCase() === CRAWL_DELAY;
    const lines = robots.records().filter(({ kind, field }) => kind === 'other' && isDelay(field)).length;
    if (lines === 0) return NO_DELAYS;
    const sets = this.#agents.divide(new RulesetCache(robots));
    const delays = readCrawlDelays(sets.map(({ ruleset }) => ruleset));
    const crawlDelays = sets.flatMap(({ names }, index) => {
      const seconds = delays[index] ?? null;
      return seconds === null ? [] : names.map((agent) => ({ agent, seconds }));
    });
    return { crawlDelayLines: lines, crawlDelays };
  }
}

const NO_DELAYS: Pick<BodyContent, 'crawlDelayLines' | 'crawlDelays'> = {
  crawlDelayLines: 0,
  crawlDelays: [],
};

/** Reads the bytes up to the size limit as Latin-1. */
function readText(body: Uint8Array): string {
  const length = Math.min(body.byteLength, MAX_FILE_BYTES);
  return Buffer.from(body.buffer, body.byteOffset, length).toString('latin1');
}

/** Lists words that occur in files that give a crawler other rules than its policy token: in any file, if it ignores the groups for `*`. */
function listWords(crawler: CrawlerSpec): readonly string[] {
  const obeysGlobal = !('obeys' in crawler) || crawler.obeys === 'rules';
  return obeysGlobal ? getTokens(crawler).map((token) => token.toLowerCase()) : [''];
}
