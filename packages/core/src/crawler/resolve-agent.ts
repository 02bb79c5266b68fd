// Resolution of agent names to crawlers. The library, command, service, monitor and audit all use it.
import { quoteValue } from '../bytes/check-options.ts';
import { findCrawler } from './catalogue.ts';
import {
  type AgentTokens,
  type CrawlerSpec,
  createCrawler,
  GLOBAL_CRAWLER,
  isAgentToken,
  isProductToken,
  toAgentTokens,
} from './crawler.ts';
import { findHeaderToken, type RecognizableCrawler, recognizeCrawler } from './recognize-crawler.ts';

/** A crawler, and the name under which it is reported. `resolveAgent` of this name returns the same crawler. */
export interface ResolvedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
  /**
   * Kind of the input. `catalogue`: the name or preferred token of a catalogue crawler. `token`: another token. `header`: a
   * User-Agent header. `global`: `*`.
   */
  readonly source: 'catalogue' | 'token' | 'header' | 'global';
}

/** Prefix of a bare token, which is read exactly as Google's matcher reads it: `token:Googlebot-Image`. */
const BARE_TOKEN_PREFIX = 'token:';

/**
 * Resolves an agent name to a crawler. The name is one of:
 *
 * - the name or preferred token of a catalogue crawler, in any case: resolves to that crawler with its fallbacks;
 * - another product token, or extended token (`MJ12bot`): resolves to that token;
 * - a User-Agent header, which contains a space, `/` or parenthesis: resolves to the crawler that it names. This is the longest name of
 *   a documented crawler, or else the name after `compatible;`, or else the product token at its start;
 * - `*`: resolves to a crawler that no group names;
 * - `token:NAME`: resolves to the bare token `NAME`, which can be any string.
 *
 * @throws {TypeError} if `name` is not a string, or a header that names no crawler.
 * @throws {RangeError} for other names, because no user-agent line can name them. Both have the code `invalid-agent`.
 */
export function resolveAgent(name: string): ResolvedAgent {
  return resolveAmong(name, []);
}

/**
 * Creates a function that resolves agent names as {@link resolveAgent} does, and also recognises further crawlers by their headers.
 *
 * @param crawlers - crawlers that are not in the catalogue, or that replace those of it, by their names and headers.
 */
export function createAgentResolver(
  crawlers: readonly RecognizableCrawler[],
): (name: string) => ResolvedAgent {
  return (name) => resolveAmong(name, crawlers);
}

function resolveAmong(name: string, crawlers: readonly RecognizableCrawler[]): ResolvedAgent {
  if (typeof name !== 'string')
    throw new TypeError(`an agent name must be a string, not ${quoteValue(name)}`);
  if (name === '') throw withCode(new RangeError('the agent name is empty'));
  if (name === GLOBAL_CRAWLER.name) return { name, crawler: GLOBAL_CRAWLER, source: 'global' };
  if (name.startsWith(BARE_TOKEN_PREFIX)) return resolveBareToken(name);
  const own = findCrawler(name, crawlers);
  if (own !== undefined) return { name: own.name, crawler: own, source: 'catalogue' };
  if (isAgentToken(name) || findCrawler(name) !== undefined) return resolveToken(name);
  if (!/[ /()]/.test(name) || hasControlCharacter(name))
    throw withCode(new RangeError(describeUnusable(name)));
  const recognized = recognizeCrawler(name, crawlers);
  if (recognized !== undefined) return { name: recognized.name, crawler: recognized, source: 'header' };
  const token = findHeaderToken(name);
  if (token !== undefined) return { ...resolveToken(token), source: 'header' };
  const problem = `the User-Agent header ${quoteValue(name)} names no crawler`;
  throw withCode(
    new TypeError(
      `${problem}: use a product token, or a header such as "MyBot/1.0 (+https://example.com/bot)"`,
    ),
  );
}

/** An error of {@link resolveAgent}. */
export interface InvalidAgentError extends Error {
  readonly code: 'invalid-agent';
}

/** Whether an error says that a name of an agent is invalid. Others are defects of the program. */
export function isInvalidAgentError(error: unknown): error is InvalidAgentError {
  return error instanceof Error && 'code' in error && error.code === 'invalid-agent';
}

function withCode(error: Error): InvalidAgentError {
  return Object.assign(error, { code: 'invalid-agent' } as const);
}

function resolveToken(name: string): ResolvedAgent {
  const entry = findCrawler(name);
  if (entry !== undefined) return { name: entry.name, crawler: entry, source: 'catalogue' };
  return { name, crawler: createCrawler(name), source: 'token' };
}

/** The reported name has the prefix if the token alone resolves to another crawler, or to none. */
function resolveBareToken(name: string): ResolvedAgent {
  const token = name.slice(BARE_TOKEN_PREFIX.length);
  const isPlain = isProductToken(token) && findCrawler(token) === undefined;
  return { name: isPlain ? token : name, crawler: { tokens: [token] }, source: 'token' };
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function describeUnusable(name: string): string {
  return `no user-agent line can name ${quoteValue(name)}: use a product token (letters, digits, "_", "-" and "."), a crawler of the catalogue or a User-Agent header`;
}

/** Cache of the tokens of agent names, which are frozen. */
const cachedTokens: Map<string, AgentTokens> = /* @__PURE__ */ new Map();
const MAX_CACHED_NAMES = 256;
/** Longer names are User-Agent headers. They are not cached, so that the cache stays small. */
const MAX_CACHED_LENGTH = 64;

/**
 * Converts a crawler or an agent name to its tokens.
 *
 * @throws {TypeError} {RangeError} as {@link resolveAgent} and {@link toAgentTokens} do.
 */
export function getAgentTokens(crawler: string | CrawlerSpec): AgentTokens {
  if (typeof crawler !== 'string') return toAgentTokens(crawler);
  const cached = cachedTokens.get(crawler);
  if (cached !== undefined) return cached;
  const agentTokens = toAgentTokens(resolveAgent(crawler).crawler);
  if (crawler.length <= MAX_CACHED_LENGTH) {
    if (cachedTokens.size === MAX_CACHED_NAMES) cachedTokens.clear();
    cachedTokens.set(crawler, agentTokens);
  }
  return agentTokens;
}
