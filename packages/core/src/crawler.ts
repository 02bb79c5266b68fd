/**
 * What a crawler is to a robots.txt: the product tokens by which groups may name it, in order of preference, and
 * whether it obeys the groups for `*` (RFC 9309 section 2.2.1; Google's overview of its crawlers).
 *
 * @module
 */
import { isTokenByte } from './ascii.ts';

/** A crawler as the catalogue lists it. Callers can make their own. */
export interface Crawler {
  readonly name: string;
  /** Product tokens in order of preference: the first that a group names is used. */
  readonly tokens: readonly string[];
  /**
   * `rules`: its own groups, else those for `*`. `own-rules`: only its own groups. `nothing`: it ignores robots.txt.
   */
  readonly obeys: 'rules' | 'own-rules' | 'nothing';
}

/**
 * Whom to decide for: one product token; several of which each counts (the union of their groups, as Google's matcher
 * takes it); or a crawler with fallbacks.
 */
export type CrawlerLike = string | readonly string[] | Crawler;

/** Whether a name can stand in a user-agent line and be found: letters, `_` and `-` only. */
export function isProductToken(name: string): boolean {
  for (let i = 0; i < name.length; i++) if (!isTokenByte(name.charCodeAt(i))) return false;
  return name.length > 0;
}

const OBEYS: readonly Crawler['obeys'][] = ['rules', 'own-rules', 'nothing'];

/** How many tokens in order of preference a crawler may have. */
const MAX_TOKENS = 29;

/** What to look for in the groups. */
export interface Preference {
  /** Sets of product tokens. The first set of which a group names a token is used. */
  readonly sets: readonly (readonly string[])[];
  /** Whether the groups for `*` apply where no set is named. */
  readonly obeysGlobal: boolean;
  /** Whether the crawler ignores robots.txt altogether. */
  readonly exempt: boolean;
}

/**
 * What a crawler looks for in the groups.
 *
 * @throws {TypeError} for what is neither a string, a list of strings nor a {@link Crawler}.
 * @throws {RangeError} for an empty name, an empty list or more than 29 tokens in order. A name that is
 *   no product token is accepted: no group can name it, so the groups for `*` apply.
 */
export function preferenceOf(crawler: CrawlerLike): Preference {
  if (typeof crawler === 'string') return preferenceOfName(crawler);
  if (isList(crawler)) {
    if (crawler.length === 0) throw new RangeError('no crawler: the list of product tokens is empty');
    return { sets: [tokensOf(crawler)], obeysGlobal: true, exempt: false };
  }
  if (!Array.isArray(crawler?.tokens)) throw new TypeError(`not a crawler: ${String(crawler)}`);
  const { tokens, obeys } = crawler;
  if (!OBEYS.includes(obeys))
    throw new TypeError(`a crawler obeys one of ${OBEYS.join(', ')}, not ${String(obeys)}`);
  if (tokens.length > MAX_TOKENS)
    throw new RangeError(`a crawler has at most ${MAX_TOKENS} tokens, not ${tokens.length}`);
  return {
    sets: tokens.map((token) => tokensOf([token])),
    obeysGlobal: obeys === 'rules',
    exempt: obeys === 'nothing',
  };
}

/** The same names come again and again: what they look for is made once, and shared. */
const named: Map<string, Preference> = /* @__PURE__ */ new Map();
const MAX_NAMED = 256;

function preferenceOfName(name: string): Preference {
  const preference = named.get(name) ?? { sets: [tokensOf([name])], obeysGlobal: true, exempt: false };
  if (named.size === MAX_NAMED) named.clear();
  named.set(name, preference);
  return preference;
}

function isList(crawler: readonly string[] | Crawler): crawler is readonly string[] {
  return Array.isArray(crawler);
}

/** The names that a group can name. */
function tokensOf(names: readonly unknown[]): string[] {
  return names.map(requireName).filter(isProductToken);
}

function requireName(name: unknown): string {
  if (typeof name !== 'string') throw new TypeError(`not the name of a crawler: ${String(name)}`);
  if (name === '') throw new RangeError('the name of a crawler is empty');
  return name;
}
