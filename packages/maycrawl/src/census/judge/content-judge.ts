// Judges what a robots.txt says besides its rules: crawl delays, declarations about the use of content, findings, and the software that
// wrote it. A search for a few words decides what is read at all, because most files say nothing of this.
import { MAX_FILE_BYTES, type RobotsTxt } from '@maycrawl/core';
import { lint, lintPreferences } from '@maycrawl/core/lint';
import { AgentDelays, type CrawlDelays, NO_DELAYS } from './crawl-delays.ts';
import { type DeclaredPreferences, NO_PREFERENCES, PreferenceJudge } from './declared-preferences.ts';
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

/** Matches the fields of `DECLARING_FIELDS` with their colon. */
export const DECLARING_TEXT: RegExp = /(?:content-(?:usage|signals?)|license)\s*:/i;
/** Words of the comments on which the linter's findings about managed blocks and licences depend. */
const COMMENT_TEXT = /accessing|managed content/i;
const CRAWL_DELAY = /crawl-delay/i;
/** Matches the tokens of `POLICY_TOKENS`. */
const POLICY_TOKEN = /google-extended|applebot-extended|__usage_ai-training/i;
/** Matches every file that one of the above matches. Most files need no other search. */
const ANY_TEXT =
  /content-(?:usage|signal)|license|accessing|managed content|crawl-delay|google-extended|applebot-extended|__usage_ai-training/i;

/** Judges the content of bodies for the same agents. */
export class ContentJudge {
  readonly #preferences: PreferenceJudge;
  readonly #delays: AgentDelays;
  readonly #isLinting: boolean;

  /**
   * @param isLinting - whether the whole linter runs.
   * @throws {RangeError} if no user-agent line can name an agent.
   */
  constructor(agents: readonly string[], isLinting: boolean) {
    this.#preferences = new PreferenceJudge(new JudgedAgents(agents));
    this.#delays = new AgentDelays(agents);
    this.#isLinting = isLinting;
  }

  /**
   * Judges the content of a body that is no HTML page.
   *
   * @param groupKinds - for each agent, why groups apply to it.
   */
  judge(body: Uint8Array, robots: RobotsTxt, groupKinds: readonly GroupKind[]): BodyContent {
    const text = readText(body);
    const hasAny = ANY_TEXT.test(text);
    const isDeclaring = hasAny && (DECLARING_TEXT.test(text) || POLICY_TOKEN.test(text));
    const hasFindings = isDeclaring || (hasAny && COMMENT_TEXT.test(text));
    const { crawlDelayLines, crawlDelays } =
      hasAny && CRAWL_DELAY.test(text) ? this.#delays.read(robots) : NO_DELAYS;
    const { declarations, omittedDeclarations, preferences, conflicts } = isDeclaring
      ? this.#preferences.readDeclared(robots, groupKinds)
      : this.#preferences.readGoverned(robots, groupKinds);
    return {
      crawlDelayLines,
      crawlDelays,
      declarations,
      omittedDeclarations,
      preferences,
      conflicts,
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
