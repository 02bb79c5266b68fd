/**
 * How a crawler may use the content of a URL, by everything that the site declares.
 *
 * @module
 */
import { type CrawlerInput, isAgentToken } from '../crawler/crawler.ts';
import { decideByPolicy, type RobotsPolicy } from '../model/robots-policy.ts';
import { findConflicts, type PreferenceConflict } from './conflicts.ts';
import { Evidence, type LicenseReference, type PreferenceSources } from './evidence.ts';
import { MAIN_PURPOSES } from './labels.ts';
import { POLICY_TOKENS, type PolicyToken } from './policy-tokens.ts';
import { READINGS } from './readings.ts';
import {
  combineValues,
  type PreferenceFormat,
  type PreferenceStatement,
  type PreferenceValue,
} from './statement.ts';

/** A statement, and the names of the readings under which it counts. */
export interface CountedStatement extends PreferenceStatement {
  readonly countsUnder: readonly string[];
}

/** What is declared about one purpose. */
export interface PurposePreference {
  /** The value by the reading `grouped`: the most restrictive statement of all formats. */
  readonly value: PreferenceValue;
  /** The format of the deciding statement; `null` if the value is `unknown` or `not-applicable`. */
  readonly format: PreferenceFormat | null;
  /** The line of the deciding statement; `null` if there is no format, or the source has no lines. */
  readonly line: number | null;
  /** The values by `grouped` and `global`, and by each other reading where it differs from `grouped`. */
  readonly readings: Readonly<Record<string, PreferenceValue>>;
  /** The statements that count under one of the readings, 100 at most. The deciding one is the first, if there is one. */
  readonly statements: readonly CountedStatement[];
}

/** What is declared for a crawler and a URL. */
export interface PreferenceReport {
  readonly agent: string;
  readonly url: string;
  /** Whether the crawler may fetch the URL. Preferences never change it. */
  readonly crawl: 'allowed' | 'disallowed' | 'out-of-scope';
  /** By purpose: `search`, `ai-train` and `ai-input`, then every other purpose that is declared. */
  readonly purposes: Readonly<Record<string, PurposePreference>>;
  /** The RSL licences that the sources refer to for the crawler. */
  readonly licenses: readonly LicenseReference[];
  readonly conflicts: readonly PreferenceConflict[];
}

/** Options of {@link readPreferences}. */
export interface PreferenceOptions {
  /** The policy tokens that are read. @defaultValue {@link POLICY_TOKENS} */
  readonly policyTokens?: readonly PolicyToken[];
}

const NO_ROBOTS_TXT: RobotsPolicy = { kind: 'allow-all', reason: 'unavailable' };

/**
 * Reads what a site declares about the use of a URL's content by a crawler. Preferences are statements of the owner: crawlers need not
 * follow them.
 *
 * @param agent - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
 * @param url - an absolute URL.
 * @throws {TypeError | RangeError} if `agent`, `url` or the policy is invalid. The content of a source never causes an error.
 * @example
 * const policy = { kind: 'rules', robots: parse('User-agent: *\nContent-Usage: train-ai=n') } as const;
 * readPreferences({ policy }, 'GPTBot', 'https://example.com/').purposes['ai-train']?.value; // 'disallowed'
 */
export function readPreferences(
  sources: PreferenceSources,
  agent: CrawlerInput,
  url: string,
  { policyTokens = POLICY_TOKENS }: PreferenceOptions = {},
): PreferenceReport {
  const { policy = NO_ROBOTS_TXT } = sources;
  for (const { token } of policyTokens)
    if (!isAgentToken(token)) throw new RangeError(`not a product token: ${JSON.stringify(token)}`);
  const crawl = decideByPolicy(policy, agent, url).kind;
  const evidence = new Evidence(sources, agent, url, policyTokens);
  const purposes: Record<string, PurposePreference> = {};
  for (const purpose of new Set([...MAIN_PURPOSES, ...evidence.purposes]))
    purposes[purpose] = evidence.isEmpty ? createEmpty(crawl) : readPurpose(evidence, purpose, crawl);
  return {
    agent: getName(agent),
    url,
    crawl,
    purposes,
    licenses: evidence.selectLicenses(READINGS[0]),
    conflicts: findConflicts(purposes, crawl),
  };
}

/** The preference where no source declares anything. */
function createEmpty(crawl: PreferenceReport['crawl']): PurposePreference {
  const value: PreferenceValue = crawl === 'disallowed' ? 'not-applicable' : 'unknown';
  const readings = Object.fromEntries(READINGS.slice(0, 2).map(({ name }) => [name, value]));
  return { value, format: null, line: null, readings, statements: [] };
}

const MAX_STATEMENTS = 100;

function readPurpose(
  evidence: Evidence,
  purpose: string,
  crawl: PreferenceReport['crawl'],
): PurposePreference {
  const statements = new Map<PreferenceStatement, string[]>();
  const values = new Map<string, PreferenceValue>();
  let deciding: PreferenceStatement | undefined;
  for (const [index, reading] of READINGS.entries()) {
    const selected = evidence.select(purpose, reading).map(({ statement }) => statement);
    const combined = combineValues(selected.map(({ value }) => value));
    const value = crawl === 'disallowed' ? 'not-applicable' : combined;
    if (index === 0) deciding = selected.find((each) => combined !== 'unknown' && each.value === combined);
    // The deciding statement is the first.
    if (deciding !== undefined && index === 0) statements.set(deciding, []);
    for (const each of new Set(selected)) {
      if (statements.size < MAX_STATEMENTS && !statements.has(each)) statements.set(each, []);
      statements.get(each)?.push(reading.name);
    }
    if (index < 2 || value !== values.get(READINGS[0].name)) values.set(reading.name, value);
  }
  const value = values.get(READINGS[0].name) as PreferenceValue;
  const isDecided = value === 'allowed' || value === 'disallowed';
  return {
    value,
    format: isDecided ? (deciding?.format ?? null) : null,
    line: isDecided ? (deciding?.line ?? null) : null,
    readings: Object.fromEntries(values),
    statements: Array.from(statements, ([statement, countsUnder]) => ({ ...statement, countsUnder })),
  };
}

function getName(agent: CrawlerInput): string {
  if (typeof agent === 'string') return agent;
  const spec = agent as Exclude<CrawlerInput, string>;
  if ('name' in spec) return spec.name;
  return ('tokens' in spec ? spec.tokens : spec).join(', ');
}
