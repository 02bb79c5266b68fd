/**
 * What a crawler is to a robots.txt: the tokens by which groups may name it, in order of preference, and whether it obeys the
 * groups for `*` (RFC 9309 section 2.2.1; Google's overview of its crawlers).
 *
 * @module
 */
import { isExtendedTokenByte, isTokenByte } from '../bytes/ascii.ts';

/** A crawler as the catalogue lists it. Callers can make their own. */
export interface Crawler {
  readonly name: string;
  /** Tokens in order of preference: the first that a group names is used. */
  readonly tokens: readonly string[];
  /**
   * `rules`: its own groups, else those for `*`. `own-rules`: only its own groups. `nothing`: it ignores robots.txt.
   */
  readonly obeys: 'rules' | 'own-rules' | 'nothing';
}

/**
 * Bare tokens. Each counts: the groups that name any of them are merged, as Google's matcher does it. No fallbacks of the
 * catalogue apply.
 */
export interface BareTokens {
  readonly tokens: readonly string[];
}

/** A crawler without a name to look up: a list is short for {@link BareTokens}. */
export type ResolvedCrawler = readonly string[] | BareTokens | Crawler;

/** The crawler to decide for: the name of an agent as `resolveAgent` reads it, bare tokens, or a crawler with fallbacks. */
export type CrawlerLike = string | ResolvedCrawler;

/** A crawler that no group names: the groups for `*` are all that applies to it. */
export const UNNAMED_CRAWLER: Crawler = { name: '*', tokens: [], obeys: 'rules' };

/** Whether `name` is a product token: letters, `_` and `-` only (RFC 9309 section 2.2.1). */
export function isProductToken(name: string): boolean {
  return name.length > 0 && every(name, isTokenByte);
}

/**
 * Whether a user-agent line can name `token`: it is a product token, or an extended token, which also holds digits or dots
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

/** How many tokens in order of preference a crawler may have. */
const MAX_TOKENS = 29;

/** What to look for in the groups. */
export interface Preference {
  /** Sets of tokens. The first set of which a group names a token is used. */
  readonly tokenSets: readonly (readonly string[])[];
  /** Whether the groups for `*` apply where no set is named. */
  readonly obeysGlobal: boolean;
  /** Whether the crawler ignores robots.txt altogether. */
  readonly isExempt: boolean;
}

/**
 * Converts a crawler to what to look for in the groups.
 *
 * @throws {TypeError} if `crawler` is neither a list of strings, {@link BareTokens} nor a {@link Crawler}.
 * @throws {RangeError} for an empty list, for a token that no user-agent line can name, or for more than 29 tokens in order.
 */
export function toPreference(crawler: ResolvedCrawler): Preference {
  const tokens: unknown = isList(crawler) ? crawler : crawler?.tokens;
  if (!Array.isArray(tokens)) throw new TypeError(`not a crawler: ${String(crawler)}`);
  // A crawler that does not say what it obeys is a mistake, and not a list of bare tokens.
  if (isList(crawler) || !isCrawler(crawler)) {
    if (tokens.length === 0) throw new RangeError('no crawler: the list of product tokens is empty');
    return { tokenSets: [tokens.map(requireToken)], obeysGlobal: true, isExempt: false };
  }
  const { obeys } = crawler;
  if (!OBEYS.includes(obeys))
    throw new TypeError(`a crawler obeys one of ${OBEYS.join(', ')}, not ${String(obeys)}`);
  if (tokens.length > MAX_TOKENS)
    throw new RangeError(`a crawler has at most ${MAX_TOKENS} tokens, not ${tokens.length}`);
  return {
    tokenSets: tokens.map((token) => [requireToken(token)]),
    obeysGlobal: obeys === 'rules',
    isExempt: obeys === 'nothing',
  };
}

function isCrawler(crawler: BareTokens | Crawler): crawler is Crawler {
  return 'obeys' in crawler || 'name' in crawler;
}

function isList(crawler: ResolvedCrawler): crawler is readonly string[] {
  return Array.isArray(crawler);
}

/** A token that no group can name would silently leave the crawler to the groups for `*`. */
function requireToken(token: unknown): string {
  if (typeof token !== 'string') throw new TypeError(`not a product token: ${String(token)}`);
  if (isAgentToken(token)) return token;
  throw new RangeError(
    `not a product token: ${JSON.stringify(token)} (letters, digits, "_", "-" and "." only)`,
  );
}
