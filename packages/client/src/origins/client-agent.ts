/**
 * The crawler of a client, and its User-Agent header. Site owners write rules for the name that they find in the header, so the client
 * must obey the rules for that name.
 *
 * @module
 */
import {
  type CrawlerInput,
  type CrawlerSpec,
  createAgentResolver,
  createCrawler,
  isInvalidAgentError,
  parse,
  type ResolvedAgent,
  resolveAgent,
} from '@maycrawl/core';
import { quoteValue } from '@maycrawl/core/options';
import { requireUserAgent } from '../robots/fetch-options.ts';
import { copyFrozen } from '../robots/frozen.ts';

/**
 * Returns the crawler of a client, which is frozen.
 *
 * @throws {RangeError} if no user-agent line can name the crawler, if the header is invalid, or if the header names no token of the
 *   crawler. A crawler without tokens only needs a valid header.
 * @throws {TypeError} if the crawler has a wrong type.
 */
export function resolveClientAgent(agent: CrawlerInput, userAgent: string): CrawlerSpec {
  const crawler = copyFrozen(typeof agent === 'string' ? resolveAgent(agent).crawler : agent);
  // Throws for an invalid crawler.
  parse('').ruleset(crawler);
  requireUserAgent(userAgent);
  requireNamed(userAgent, 'tokens' in crawler ? crawler.tokens : crawler);
  return crawler;
}

/** @throws {RangeError} if a header names none of the tokens. */
function requireNamed(userAgent: string, tokens: readonly string[]): void {
  if (tokens.length === 0) return;
  const { name, crawler } = resolveHeader(userAgent, tokens);
  const [named] = 'tokens' in crawler ? crawler.tokens : crawler;
  if (tokens.some((token) => token.toLowerCase() === named?.toLowerCase())) return;
  throw new RangeError(
    `the User-Agent header ${quoteValue(userAgent)} names the crawler ${quoteValue(name)}, not ${listNames(tokens)}`,
  );
}

function resolveHeader(userAgent: string, tokens: readonly string[]): ResolvedAgent {
  const local = tokens.map((token) => ({ ...createCrawler(token), header: token }));
  try {
    return createAgentResolver(local)(userAgent);
  } catch (cause) {
    if (!isInvalidAgentError(cause)) throw cause;
    const problem = `the User-Agent header ${quoteValue(userAgent)} names no crawler, and must name ${listNames(tokens)}`;
    throw new RangeError(`${problem}, such as "MyBot/1.0 (+https://example.com/bot)" for "MyBot"`, { cause });
  }
}

function listNames(tokens: readonly string[]): string {
  return tokens.map(quoteValue).join(' or ');
}
