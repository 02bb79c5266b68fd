// The crawler of a client, and its User-Agent header. Site owners write rules for the name that they find in the header, so the client
// must obey the rules for that name.
import {
  type CrawlerInput,
  type CrawlerSpec,
  createAgentResolver,
  createCrawler,
  isInvalidAgentError,
  parse,
  type ResolvedAgent,
  recognizeCrawler,
  resolveAgent,
} from '@maycrawl/core';
import { quoteValue } from '@maycrawl/core/internal';
import { requireUserAgent } from '../../robots/fetch-options.ts';
import { copyFrozen } from '../../robots/frozen.ts';

/**
 * Returns the crawler of a client, which is frozen.
 *
 * @throws {RangeError} if no user-agent line can name the crawler, if the header is invalid, or if the header names no token of the
 *   crawler. The header of a crawler without tokens must not name another documented one.
 * @throws {TypeError} if the crawler has a wrong type.
 */
export function resolveClientAgent(agent: CrawlerInput, userAgent: string): CrawlerSpec {
  const crawler = copyCrawler(typeof agent === 'string' ? resolveAgent(agent).crawler : agent);
  requireUserAgent(userAgent);
  const tokens = 'tokens' in crawler ? crawler.tokens : crawler;
  if (tokens.length > 0) requireNamed(userAgent, tokens);
  else requireNoOther(userAgent, 'name' in crawler ? crawler.name : '');
  return crawler;
}

/**
 * Returns a frozen copy of a crawler, because the caller may change its own. Members count also if they are inherited: without `obeys`, a
 * crawler would be read as bare tokens.
 *
 * @throws {TypeError} {RangeError} if it is invalid.
 */
export function copyCrawler(crawler: CrawlerSpec): CrawlerSpec {
  parse('').ruleset(crawler);
  if (!('tokens' in crawler)) return copyFrozen(crawler);
  if (!('obeys' in crawler)) return copyFrozen({ tokens: crawler.tokens });
  const { name, tokens, obeys } = crawler;
  return copyFrozen({ name, tokens, obeys });
}

/** @throws {RangeError} if a header names none of the tokens. */
function requireNamed(userAgent: string, tokens: readonly string[]): void {
  const { name, crawler } = resolveHeader(userAgent, tokens);
  const [named] = 'tokens' in crawler ? crawler.tokens : crawler;
  if (!tokens.some((token) => token.toLowerCase() === named?.toLowerCase()))
    throw createMismatch(userAgent, name, listNames(tokens));
}

/**
 * Checks the header of a crawler without tokens: `*`, or one that ignores robots.txt.
 *
 * @throws {RangeError} if the header names a documented crawler of another name.
 */
function requireNoOther(userAgent: string, name: string): void {
  const named = recognizeCrawler(userAgent)?.name;
  if (named !== undefined && named !== name) throw createMismatch(userAgent, named, quoteValue(name));
}

function createMismatch(userAgent: string, named: string, expected: string): RangeError {
  return new RangeError(
    `the User-Agent header ${quoteValue(userAgent)} names the crawler ${quoteValue(named)}, not ${expected}`,
  );
}

function resolveHeader(userAgent: string, tokens: readonly string[]): ResolvedAgent {
  const local = tokens.map((token) => ({ ...createCrawler(token), header: token }));
  try {
    // The name of an agent is no header.
    if (!userAgent.startsWith('token:')) return createAgentResolver(local)(userAgent);
    throw new RangeError(`not a User-Agent header: ${quoteValue(userAgent)}`);
  } catch (cause) {
    if (!isInvalidAgentError(cause) && !(cause instanceof RangeError)) throw cause;
    const problem = `the User-Agent header ${quoteValue(userAgent)} names no crawler, and must name ${listNames(tokens)}`;
    throw new RangeError(`${problem}, such as "MyBot/1.0 (+https://example.com/bot)" for "MyBot"`, { cause });
  }
}

function listNames(tokens: readonly string[]): string {
  return tokens.map(quoteValue).join(' or ');
}
