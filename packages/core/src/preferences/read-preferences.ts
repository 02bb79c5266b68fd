// How a crawler may use the content of a URL, by everything that the site declares.
import { checkOptions } from '../bytes/check-options.ts';
import { toUrlText, type UrlInput } from '../bytes/url.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';
import { decideByPolicy, type RobotsPolicy } from '../model/robots-policy.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { Ruleset } from '../model/ruleset.ts';
import { findConflicts, type PreferenceConflict } from './conflicts.ts';
import { MAIN_PURPOSES } from './labels.ts';
import { POLICY_TOKENS } from './policy-token-data.ts';
import { requirePolicyTokens } from './policy-tokens.ts';
import { READINGS } from './readings.ts';
import { type LicenseReference, SelectedStatements } from './selected-statements.ts';
import { SiteStatements } from './site-statements.ts';
import type { SourceProblem } from './source-problem.ts';
import {
  type PageSources,
  type PreferenceSources,
  requirePageSources,
  requireSiteSources,
  requireSources,
  type SiteSources,
} from './sources.ts';
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
  /** The RSL licences that the sources refer to, 100 at most. */
  readonly licenses: readonly LicenseReference[];
  readonly conflicts: readonly PreferenceConflict[];
  /** What was not read of the sources, which can contain a refusal: 100 problems at most. */
  readonly problems: readonly SourceProblem[];
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
 * @throws {TypeError | RangeError} if `agent`, `url` or the type of a source is invalid. The content of a source never causes an error.
 * @example
 * const policy = { kind: 'rules', robots: parse('User-agent: *\nContent-Usage: train-ai=n') } as const;
 * readPreferences({ policy }, 'GPTBot', 'https://example.com/').purposes['ai-train']?.value; // 'disallowed'
 */
export function readPreferences(
  sources: PreferenceSources,
  agent: CrawlerInput,
  url: UrlInput,
  options: PreferenceOptions = {},
): PreferenceReport {
  requireSources(sources);
  const { policy, tdmrep, rsl, headers, metas, licenses, inlineRsl, isTruncated } = sources;
  const reader = new PreferenceReader({ policy, tdmrep, rsl } as SiteSources, agent, options);
  return reader.read(url, { headers, metas, licenses, inlineRsl, isTruncated } as PageSources);
}

/** Reads the preferences of many URLs of a site for one crawler. The sources of the site are parsed once. */
export class PreferenceReader {
  readonly #policy: RobotsPolicy;
  readonly #agent: CrawlerInput;
  readonly #site: SiteStatements;
  /** The rules of the policy for the crawler. */
  #ruleset: Ruleset | undefined;

  /**
   * @param agent - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
   * @throws {TypeError | RangeError} if `agent`, the type of a source or a token is invalid.
   */
  constructor(sources: SiteSources, agent: CrawlerInput, options: PreferenceOptions = {}) {
    checkOptions<PreferenceOptions>('PreferenceReader', options, { policyTokens: 'array' });
    const { policyTokens = POLICY_TOKENS } = options;
    requireSiteSources(sources);
    requirePolicyTokens(policyTokens);
    this.#policy = sources.policy ?? NO_ROBOTS_TXT;
    this.#agent = agent;
    this.#site = new SiteStatements(sources, agent, policyTokens);
  }

  /** Whether the sources of the site declare nothing about any URL that the crawler may fetch. Then only pages can. */
  get isSilent(): boolean {
    return this.#site.isSilent;
  }

  /** Whether the sources of the site declare the same about all URLs that the crawler may fetch. */
  get isUniform(): boolean {
    return this.#site.isUniform;
  }

  /**
   * Reads the preferences of a URL.
   *
   * @param url - an absolute URL.
   * @param page - what the page says about itself. @defaultValue nothing
   * @throws {TypeError | RangeError} if `url` or the type of a source is invalid.
   */
  read(url: UrlInput, page: PageSources = {}): PreferenceReport {
    requirePageSources(page);
    const text = toUrlText(url);
    const getRuleset = (robots: RobotsTxt): Ruleset => (this.#ruleset ??= robots.ruleset(this.#agent));
    const crawl = decideByPolicy(this.#policy, this.#agent, text, { getRuleset }).kind;
    const statements = new SelectedStatements(this.#site, page, text);
    const read = (purpose: string): PurposePreference =>
      statements.isEmpty ? createEmpty(crawl) : readPurpose(statements, purpose, crawl);
    const purposes = Object.fromEntries(
      Array.from(new Set([...MAIN_PURPOSES, ...statements.purposes]), (purpose) => [purpose, read(purpose)]),
    );
    return {
      agent: getName(this.#agent),
      url: text,
      crawl,
      purposes,
      licenses: statements.selectLicenses(READINGS[0]).slice(0, MAX_LICENSES),
      conflicts: findConflicts(purposes, crawl),
      problems: statements.problems.slice(0, MAX_PROBLEMS),
    };
  }
}

/** The preference where no source declares anything. */
function createEmpty(crawl: PreferenceReport['crawl']): PurposePreference {
  const value: PreferenceValue = crawl === 'disallowed' ? 'not-applicable' : 'unknown';
  const readings = Object.fromEntries(READINGS.slice(0, 2).map(({ name }) => [name, value]));
  return { value, format: null, line: null, readings, statements: [] };
}

const [MAX_STATEMENTS, MAX_LICENSES, MAX_PROBLEMS] = [100, 100, 100] as const;

function readPurpose(
  statements: SelectedStatements,
  purpose: string,
  crawl: PreferenceReport['crawl'],
): PurposePreference {
  const counted = new Map<unknown, { readonly statement: PreferenceStatement; readonly names: string[] }>();
  const add = (statement: PreferenceStatement, ...names: string[]): void => {
    // Statements of RSL documents are created for each reading.
    const key = statement.format === 'rsl' ? JSON.stringify(statement) : statement;
    const known = counted.get(key);
    if (known !== undefined) known.names.push(...names.filter((name) => !known.names.includes(name)));
    else if (counted.size < MAX_STATEMENTS) counted.set(key, { statement, names });
  };
  const values = new Map<string, PreferenceValue>();
  let deciding: PreferenceStatement | undefined;
  for (const [index, reading] of READINGS.entries()) {
    const selected = statements.select(purpose, reading).map(({ statement }) => statement);
    const stated = combineValues(selected.map(({ value }) => value));
    // A refusal may be among the statements that are not read.
    const combined = statements.hasUnreadStatements && stated === 'allowed' ? 'unknown' : stated;
    const value = crawl === 'disallowed' ? 'not-applicable' : combined;
    if (index === 0) deciding = selected.find((each) => combined !== 'unknown' && each.value === combined);
    // The deciding statement is the first.
    if (deciding !== undefined && index === 0) add(deciding);
    for (const each of new Set(selected)) add(each, reading.name);
    if (index < 2 || value !== values.get(READINGS[0].name)) values.set(reading.name, value);
  }
  const value = values.get(READINGS[0].name) as PreferenceValue;
  const isDecided = value === 'allowed' || value === 'disallowed';
  return {
    value,
    format: isDecided ? (deciding?.format ?? null) : null,
    line: isDecided ? (deciding?.line ?? null) : null,
    readings: Object.fromEntries(values),
    statements: Array.from(counted.values(), ({ statement, names }) => ({
      ...statement,
      countsUnder: names,
    })),
  };
}

function getName(agent: CrawlerInput): string {
  if (typeof agent === 'string') return agent;
  const spec = agent as Exclude<CrawlerInput, string>;
  if ('name' in spec) return spec.name;
  return ('tokens' in spec ? spec.tokens : spec).join(', ');
}
