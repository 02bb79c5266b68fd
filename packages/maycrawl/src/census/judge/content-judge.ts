/**
 * Judges what a robots.txt says besides its rules: crawl delays, declarations about the use of content, findings, and the software that
 * wrote it. A search for a few words decides what is read at all, because most files say nothing of this.
 *
 * @module
 */
import { MAX_FILE_BYTES, type RobotsTxt } from '@maycrawl/core';
import { lint, lintPreferences } from '@maycrawl/core/lint';
import { POLICY_TOKENS } from '@maycrawl/core/preferences';
import { type CrawlDelays, NO_DELAYS, readCrawlDelays } from './crawl-delays.ts';
import {
  type DeclaredPreferences,
  NO_PREFERENCES,
  readDeclaredPreferences,
  readGovernedPreferences,
} from './declared-preferences.ts';
import { countFindings, type FindingCount } from './findings.ts';
import { findGenerators } from './generators.ts';
import { type GroupKind, JudgedAgents } from './judged-agents.ts';

/** What a file says besides its rules. */
export interface BodyContent extends DeclaredPreferences, CrawlDelays {
  /** The findings about declarations and managed blocks. */
  readonly preferenceFindings: readonly FindingCount[];
  /** All findings of the linter; `null` if it was not run. */
  readonly findings: readonly FindingCount[] | null;
  /** The programs that wrote the file or parts of it. */
  readonly generators: readonly string[];
}

const CRAWL_DELAY = 'crawl-delay';
/** Matches the fields of `DECLARING_FIELDS` with their colon. */
export const DECLARING_TEXT: RegExp = /(?:content-(?:usage|signals?)|license)\s*:/i;
/** Words of the comments on which the linter's findings about managed blocks and licences depend. */
const COMMENT_TEXT = /accessing|managed content/i;
/** Matches every file that one of the above matches, or that has crawl delays. Most files need no other search. */
const ANY_TEXT = /crawl-delay|content-(?:usage|signal)|license|accessing|managed content/i;
/** In lower case. */
const POLICY_NAMES: readonly string[] = POLICY_TOKENS.map(({ token }) => token.toLowerCase());

/** Judges the content of bodies for the same agents. */
export class ContentJudge {
  readonly #agents: JudgedAgents;
  readonly #isLinting: boolean;

  /**
   * @param isLinting - whether the whole linter runs.
   * @throws {RangeError} if no user-agent line can name an agent.
   */
  constructor(agents: readonly string[], isLinting: boolean) {
    this.#agents = new JudgedAgents(agents);
    this.#isLinting = isLinting;
  }

  /**
   * Judges the content of a body that is no HTML page.
   *
   * @param groupKinds - for each agent, why groups apply to it.
   */
  judge(body: Uint8Array, robots: RobotsTxt, groupKinds: readonly GroupKind[]): BodyContent {
    const text = readText(body);
    const lowerCase = text.toLowerCase();
    const hasAny = ANY_TEXT.test(text);
    const isDeclaring =
      (hasAny && DECLARING_TEXT.test(text)) || POLICY_NAMES.some((name) => lowerCase.includes(name));
    const hasFindings = isDeclaring || (hasAny && COMMENT_TEXT.test(text));
    return {
      ...(hasAny && lowerCase.includes(CRAWL_DELAY)
        ? readCrawlDelays(robots, () => this.#agents.divide(groupKinds))
        : NO_DELAYS),
      ...(isDeclaring ? readDeclaredPreferences : readGovernedPreferences)(robots, this.#agents, groupKinds),
      preferenceFindings: hasFindings ? countFindings(lintPreferences(robots)) : [],
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
}

/** Reads the bytes up to the size limit as Latin-1. */
function readText(body: Uint8Array): string {
  const length = Math.min(body.byteLength, MAX_FILE_BYTES);
  return Buffer.from(body.buffer, body.byteOffset, length).toString('latin1');
}
