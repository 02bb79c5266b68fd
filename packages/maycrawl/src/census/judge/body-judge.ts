// Judges the body of a robots.txt: its content, and what each crawler may fetch. The result depends on nothing but the bytes and the
// settings, so a body is judged once, however many sites serve it.

import {
  type CrawlerSpec,
  MAX_FILE_BYTES,
  type Profile,
  parse,
  type RobotsTxt,
  resolveAgent,
  resolveProfile,
} from '@maycrawl/core';
import { checkOptions } from '@maycrawl/core/internal';
import { isPageWithoutRules, type NamedAgent, summarizeRecords } from '@maycrawl/core/lint';
import { type AccessClass, FileClassifier } from '@maycrawl/core/proofs';
import type { Access, OtherReading } from '../read-as/reading.ts';
import { classifyAs, requireReading } from '../read-as/readings.ts';
import { type BodyContent, ContentJudge } from './content-judge.ts';
import type { GroupKind } from './judged-agents.ts';

/** What is judged. */
export interface JudgeSettings {
  /** Agent names, as `resolveAgent` reads them. */
  readonly agents: readonly string[];
  /** The name of a profile. */
  readonly profile: string;
  /** Names of readings of other programs and studies, by which files are classified, too. @defaultValue none */
  readonly readAs?: readonly string[];
  /** Whether the whole linter runs, which takes 15 ms for a file on average. @defaultValue `false` */
  readonly lint?: boolean;
}

/** States of the proofs for one body. The largest files of the corpus need a tenth of them. */
const MAX_STATES = 200_000;

/**
 * - `rules`: a robots.txt, also one without rules.
 * - `empty`: no bytes but white space.
 * - `page`: an HTML page without rules.
 */
export type BodyKind = 'rules' | 'empty' | 'page';

/** The judgement of a body. */
export interface BodyJudgement extends BodyContent {
  readonly kind: BodyKind;
  /** Length in bytes; 512,001 if it is longer than the size limit. */
  readonly bytes: number;
  readonly isOverLimit: boolean;
  /** The number of user-agent lines, rules and sitemap lines. */
  readonly userAgents: number;
  readonly rules: number;
  readonly sitemaps: number;
  /** The different values of user-agent lines, and the number of lines with further ones. */
  readonly named: readonly NamedAgent[];
  readonly unnamed: number;
  /** What agents may fetch. Agents that obey the same groups share a class. */
  readonly classes: readonly AccessClass[];
  /** For each agent, the index of its class. */
  readonly classOfAgent: readonly number[];
  /** For each agent, why groups apply to it. */
  readonly groupOfAgent: readonly GroupKind[];
  /** The classes by other readings: by reading and agent; `null` if the program of a reading fails on the file. */
  readonly readAs: readonly (readonly (Access | null)[])[];
}

/** Judges bodies with the same settings. */
export class BodyJudge {
  readonly #profile: Profile;
  readonly #classifier: FileClassifier;
  readonly #readings: readonly OtherReading[];
  /** A product token of each agent, for other readings. */
  readonly #tokens: readonly string[];
  readonly #content: ContentJudge;

  /**
   * @throws {RangeError} if an agent, the profile or a reading does not exist.
   * @throws {TypeError} for an unknown or missing setting, or one of a wrong type.
   */
  constructor(settings: JudgeSettings) {
    checkOptions<JudgeSettings>(
      'BodyJudge',
      settings,
      { agents: 'array', profile: 'string', readAs: 'array', lint: 'boolean' },
      ['agents', 'profile'],
    );
    const { agents, profile, readAs = [], lint = false } = settings;
    const crawlers = agents.map((agent) => resolveAgent(agent).crawler);
    this.#readings = readAs.map(requireReading);
    this.#tokens = crawlers.map(getToken);
    this.#profile = resolveProfile(profile);
    this.#classifier = new FileClassifier(this.#profile, crawlers);
    this.#content = new ContentJudge(agents, lint);
  }

  /** Judges a body. Equal bytes give equal judgements. */
  judge(body: Uint8Array): BodyJudgement {
    const robots = parse(body, { profile: this.#profile });
    const kind = getKind(body, robots);
    const { userAgents, rules, sitemaps, named, unnamed } = summarizeRecords(robots);
    const { classes, classOfCrawler, groupKinds } = this.#classifier.classify(robots, {
      maxStates: MAX_STATES,
    });
    const content =
      kind === 'page' ? this.#content.judgePage(robots) : this.#content.judge(body, robots, groupKinds);
    // A literal: copies of objects take longer than some of the judgements.
    return {
      kind,
      bytes: body.length,
      isOverLimit: body.length > MAX_FILE_BYTES,
      userAgents,
      rules,
      sitemaps,
      named,
      unnamed,
      classes,
      classOfAgent: classOfCrawler,
      groupOfAgent: groupKinds,
      crawlDelayLines: content.crawlDelayLines,
      crawlDelays: content.crawlDelays,
      declarations: content.declarations,
      omittedDeclarations: content.omittedDeclarations,
      preferences: content.preferences,
      conflicts: content.conflicts,
      preferenceFindings: content.preferenceFindings,
      findings: content.findings,
      generators: content.generators,
      readAs: classifyAs(body, robots, this.#tokens, this.#readings),
    };
  }
}

function getToken(crawler: CrawlerSpec): string {
  const [token = '*'] = 'tokens' in crawler ? crawler.tokens : crawler;
  return token;
}

const LESS_THAN = 60;

function getKind(body: Uint8Array, robots: RobotsTxt): BodyKind {
  let start = 0;
  while (start < body.length && isWhiteSpace(body[start] as number)) start++;
  if (start === body.length) return 'empty';
  // A byte order mark may precede the tag.
  if (body[start] !== LESS_THAN && body[start] !== 0xef) return 'rules';
  return isPageWithoutRules(robots) ? 'page' : 'rules';
}

function isWhiteSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}
