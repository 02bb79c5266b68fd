// Crawlers: the tokens by which groups can name a crawler, in order of preference, and whether it obeys the groups for `*` (RFC 9309
// section 2.2.1; Google's overview of its crawlers).
import { isExtendedTokenByte, isTokenByte } from '../bytes/ascii.ts';
import { checkOptions, quoteValue, requireString } from '../bytes/check-options.ts';
import { freezeDeep } from '../bytes/freeze.ts';

/** A crawler with fallback tokens, like the entries of the catalogue. */
export interface Crawler {
  readonly name: string;
  /** At most 29 tokens in order of preference. The crawler obeys the groups for the first token that a group names. */
  readonly tokens: readonly string[];
  /**
   * Which groups the crawler obeys. `rules`: its own groups, or those for `*` if it has none. `own-rules`: only its own groups.
   * `nothing`: it ignores robots.txt.
   */
  readonly obeys: 'rules' | 'own-rules' | 'nothing';
}

/**
 * Agents exactly as Google's matcher reads them: the groups whose product token equals any of them are merged, and there are no
 * fallbacks. Any string is valid. Groups for `*` apply to one that no user-agent line can name, such as `Foo Bar` or `AB42bot`.
 */
export interface BareTokens {
  readonly tokens: readonly string[];
}

/** A crawler whose tokens are known. An array is short for {@link BareTokens}; only a {@link Crawler} can have extended tokens. */
export type CrawlerSpec = readonly string[] | BareTokens | Crawler;

/** The crawler to decide for: an agent name as in `resolveAgent`, bare tokens, or a crawler with fallbacks. */
export type CrawlerInput = string | CrawlerSpec;

/** A crawler that no group names. Only the groups for `*` apply to it. */
export const GLOBAL_CRAWLER: Crawler = /* @__PURE__ */ freezeDeep({ name: '*', tokens: [], obeys: 'rules' });

/**
 * Creates a crawler without fallbacks from a product token or extended token, such as `MJ12bot`. A decision throws RangeError if no
 * user-agent line can name it.
 */
export function createCrawler(token: string): Crawler {
  return { name: token, tokens: [token], obeys: 'rules' };
}

/** Whether `name` is a product token: one or more letters, `_` and `-` (RFC 9309 section 2.2.1). */
export function isProductToken(name: string): boolean {
  return name.length > 0 && every(name, isTokenByte);
}

/**
 * Whether a user-agent line can name `token`. It can name product tokens and extended tokens, which also contain digits or dots
 * (`MJ12bot`, `archive.org_bot`).
 */
export function isAgentToken(token: string): boolean {
  return token.length > 0 && every(token, isExtendedTokenByte);
}

function every(text: string, isMember: (code: number) => boolean): boolean {
  for (let i = 0; i < text.length; i++) if (!isMember(text.charCodeAt(i))) return false;
  return true;
}

const OBEYS: readonly Crawler['obeys'][] = ['rules', 'own-rules', 'nothing'];

/** Maximum number of token sets: each of them and `*` have a bit of a positive 32-bit integer (collect.ts). */
export const MAX_TOKENS = 29;

/** Groups that name a crawler: by its preferred token, or by a fallback. */
interface TokenSelection {
  readonly kind: 'own' | 'fallback';
  readonly tokens: readonly string[];
}

/** How a crawler selects its groups. */
export interface AgentTokens {
  /** Token sets in order of preference. The crawler obeys the groups that name a token of the first set with such groups. */
  readonly tokenSets: readonly (readonly string[])[];
  /** For each token set with one token, the groups that it selects; `undefined` for several tokens. */
  readonly selections: readonly (TokenSelection | undefined)[];
  /** Whether the groups for `*` apply if no group names a token. */
  readonly obeysGlobal: boolean;
  /** Whether the crawler ignores robots.txt. */
  readonly isExempt: boolean;
}

/**
 * Converts a crawler to its tokens, which is frozen.
 *
 * @throws {TypeError} if `crawler` is not an array of strings, {@link BareTokens} or a {@link Crawler}.
 * @throws {RangeError} if the array is empty, a {@link Crawler} has more than 29 tokens, or no user-agent line can name a token of it.
 */
export function toAgentTokens(crawler: CrawlerSpec): AgentTokens {
  const tokens: unknown = isList(crawler) ? crawler : crawler?.tokens;
  if (!Array.isArray(tokens))
    throw new TypeError(
      `the crawler must be a name, a list of tokens or a crawler with tokens, not ${quoteValue(crawler)}`,
    );
  // A crawler without `obeys` is an error, not bare tokens.
  if (isList(crawler) || !isCrawler(crawler)) {
    if (!isList(crawler)) checkOptions<BareTokens>('bare tokens', crawler, { tokens: 'array' });
    if (tokens.length === 0) throw new RangeError('the list of product tokens is empty');
    return createAgentTokens([toNamed(tokens)], true, false);
  }
  const { obeys } = crawler;
  if (!OBEYS.includes(obeys))
    throw new TypeError(`obeys must be one of ${OBEYS.join(', ')}, not ${quoteValue(obeys)}`);
  if (tokens.length > MAX_TOKENS)
    throw new RangeError(`a crawler must have at most ${MAX_TOKENS} tokens, not ${tokens.length}`);
  const tokenSets = Array.from(tokens, (token) => [requireToken(token)]);
  return createAgentTokens(tokenSets, obeys === 'rules', obeys === 'nothing');
}

function createAgentTokens(
  tokenSets: readonly (readonly string[])[],
  obeysGlobal: boolean,
  isExempt: boolean,
): AgentTokens {
  const selections = tokenSets.map((tokens, rank): TokenSelection | undefined =>
    tokens.length > 1 ? undefined : { kind: rank === 0 ? 'own' : 'fallback', tokens },
  );
  return freezeDeep({ tokenSets, selections, obeysGlobal, isExempt });
}

/**
 * Returns the bare tokens that can equal the product token of a user-agent value in Google's matcher. The empty one does: a value
 * such as `360Spider` has an empty product token.
 */
function toNamed(tokens: readonly unknown[]): string[] {
  return tokens.flatMap((token) => {
    requireString('a token', token);
    return token === '' || isProductToken(token) ? [token] : [];
  });
}

function isCrawler(crawler: BareTokens | Crawler): crawler is Crawler {
  return 'obeys' in crawler || 'name' in crawler;
}

function isList(crawler: CrawlerSpec): crawler is readonly string[] {
  return Array.isArray(crawler);
}

/** If a token that no group can name were accepted, the groups for `*` would apply silently. */
function requireToken(value: unknown): string {
  requireString('a token', value);
  if (isAgentToken(value)) return value;
  throw new RangeError(`not a product token: ${quoteValue(value)} (letters, digits, "_", "-" and "." only)`);
}
