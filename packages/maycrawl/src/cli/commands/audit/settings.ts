/**
 * What is said to `maycrawl audit`, checked and understood.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { resolveUrl } from '@maycrawl/core/indexability';
import type { CrawlOptions } from '../../../audit/crawl/crawl-options.ts';
import { classifier } from '../../../audit/crawl/scope.ts';
import type { RunSettings, ScopeKind } from '../../../audit/run/settings.ts';
import { requireCrawler, requireProfile } from '../../input/options.ts';
import { parseUrlOrHost } from '../../input/origin.ts';
import { readUrls } from '../../input/sitemaps.ts';
import { timeoutOf } from '../../input/source.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { visible } from '../../output/terminal.ts';

/** Options that say what is audited. */
export interface SettingOptions {
  readonly agent?: readonly string[];
  readonly profile: string;
  readonly scope: string;
  readonly maxPages?: string;
  readonly maxDepth?: string;
  readonly maxAlike: string;
  readonly sitemaps: boolean;
  readonly urls?: string;
  readonly robots?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Options that say how it is crawled, each time. */
export interface MannerOptions {
  readonly concurrency: string;
  readonly delay: string;
  readonly crawlDelay?: boolean;
  readonly header?: readonly string[];
  readonly userAgent: string;
  readonly timeout: string;
  readonly allowPrivate?: boolean;
}

const SCOPES: readonly ScopeKind[] = ['host', 'domain', 'prefix'];
/** Requests to one host at the same time that are thought to be meant. */
const MAX_CONCURRENCY = 256;

/** The settings of a new run. @throws {CommandError} for what cannot be meant. */
export function settingsFrom(starts: readonly string[], options: SettingOptions): RunSettings {
  if (starts.length === 0) throw new CommandError('give a URL to begin with, such as https://example.com/');
  const urls = starts.map(urlOf);
  const scope = SCOPES.find((each) => each === options.scope);
  if (scope === undefined)
    throw new CommandError(`--scope is one of ${SCOPES.join(', ')}, not ${visible(options.scope)}`);
  const agents = [...new Set((options.agent ?? ['Googlebot']).map((name) => requireCrawler(name).name))];
  const maxAlike = count('--max-alike', options.maxAlike, 0);
  const settings: RunSettings = {
    ...{ starts: urls, agents, scope, include: options.include ?? [], exclude: options.exclude ?? [] },
    ...{ maxPages: null, maxDepth: null, ...limitsFrom(options) },
    maxAlike: maxAlike === 0 ? null : maxAlike,
    ...{
      list: options.urls ?? null,
      sitemaps: options.sitemaps,
      isRobotsGiven: options.robots !== undefined,
    },
    ...{ profile: requireProfile(options.profile).name, startedAt: Date.now() },
  };
  requireScope(settings);
  return settings;
}

/** @throws {CommandError} if the settings do not say which URLs are audited. */
export function requireScope(settings: RunSettings): void {
  try {
    classifier(settings);
  } catch (cause) {
    if (cause instanceof RangeError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
}

/** How far a run goes, which can be another when it is gone on with. @throws {CommandError} for what is no count. */
export function limitsFrom({
  maxPages,
  maxDepth,
}: Pick<SettingOptions, 'maxPages' | 'maxDepth'>): Partial<Pick<RunSettings, 'maxPages' | 'maxDepth'>> {
  return {
    ...(maxPages !== undefined && { maxPages: count('--max-pages', maxPages, 1) }),
    ...(maxDepth !== undefined && { maxDepth: count('--max-depth', maxDepth, 0) }),
  };
}

/** What of the crawl does not belong to the run. */
export type CrawlManner = Pick<
  CrawlOptions,
  'userAgent' | 'headers' | 'concurrency' | 'spacing' | 'obeysCrawlDelay' | 'timeout' | 'allowPrivate'
>;

/** How it is crawled. @throws {CommandError} for what cannot be meant. */
export function mannerFrom(options: MannerOptions): CrawlManner {
  return {
    userAgent: options.userAgent,
    headers: (options.header ?? []).map(headerOf),
    concurrency: count('--concurrency', options.concurrency, 1, MAX_CONCURRENCY),
    spacing: 1000 * seconds('--delay', options.delay),
    obeysCrawlDelay: options.crawlDelay === true,
    timeout: timeoutOf(options.timeout),
    allowPrivate: options.allowPrivate,
  };
}

/** The URL that is meant. @throws {CommandError} if none can be. */
function urlOf(start: string): string {
  const { href } = parseUrlOrHost(start);
  const url = resolveUrl(href, href);
  if (url === null) throw new CommandError(`not an http or https URL: ${visible(start)}`);
  return url;
}

/** The file of --robots; `null` if there is none. @throws {CommandError} if it cannot be read. */
export function readGiven({ robots }: Pick<SettingOptions, 'robots'>): Uint8Array | null {
  if (robots === undefined) return null;
  try {
    return readFileSync(robots === '-' ? 0 : robots);
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(robots)}: ${describeFileError(cause)}`, { cause });
  }
}

/** The URLs of a list, as they are read. */
export function listOf(
  list: string,
  { userAgent, timeout, allowPrivate }: MannerOptions,
): AsyncIterable<readonly string[]> {
  return readUrls(list, { userAgent, timeout, ...(allowPrivate && { allowPrivate }), offline: false });
}

/** @throws {CommandError} if it is no header. */
function headerOf(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t -~]*)$/.exec(text) ?? [];
  // What is there may be a secret.
  if (name === '') throw new CommandError('--header is "Name: value", of ASCII');
  return [name.toLowerCase(), value.trimStart()];
}

function count(option: string, text: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  throw new CommandError(`${option} is a whole number ${bounds}, not ${visible(text)}`);
}

function seconds(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 3600) return number;
  throw new CommandError(`${option} is a number of seconds up to 3600, not ${visible(text)}`);
}
