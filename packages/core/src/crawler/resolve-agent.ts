/**
 * The name of an agent, as people and programs write it: which crawler it means. One meaning in library, command, service,
 * monitor and audit.
 *
 * @module
 */
import { isExtendedTokenByte } from '../bytes/ascii.ts';
import { findCrawler, recognizeCrawler } from './catalogue.ts';
import { isAgentToken, type Preference, type ResolvedCrawler, toPreference } from './crawler.ts';

/** A crawler, and the name under which it is reported. */
export interface ResolvedAgent {
  readonly name: string;
  readonly crawler: ResolvedCrawler;
  /**
   * How the name was read: `catalogue`, the name or preferred token of a known crawler; `token`, any other token; `header`, a
   * whole User-Agent header.
   */
  readonly source: 'catalogue' | 'token' | 'header';
}

/** Begins the name of a bare token, to which no fallbacks of the catalogue apply: `token:Googlebot-Image`. */
const BARE = 'token:';

/**
 * Finds the crawler that the name of an agent means.
 *
 * - The name or preferred token of a catalogue crawler, without case, means that crawler with its fallbacks.
 * - `token:NAME` means the bare token.
 * - Any other product token, or extended token (`MJ12bot`), means itself.
 * - A User-Agent header (it has a space, `/` or parenthesis) means the catalogue crawler that it names, else the token with
 *   which it begins.
 *
 * @throws {TypeError} if `name` is not a string.
 * @throws {RangeError} for any other name: no user-agent line could ever name it.
 */
export function resolveAgent(name: string): ResolvedAgent {
  if (typeof name !== 'string') throw new TypeError(`not the name of a crawler: ${String(name)}`);
  if (name === '') throw new RangeError('the name of a crawler is empty');
  const known = findCrawler(name);
  if (known !== undefined) return { name: known.name, crawler: known, source: 'catalogue' };
  const token = name.startsWith(BARE) ? name.slice(BARE.length) : name;
  if (isAgentToken(token)) {
    // The prefix stays in the name where the catalogue gives the token another meaning.
    const isShadowed = findCrawler(token) !== undefined;
    return { name: isShadowed ? name : token, crawler: { tokens: [token] }, source: 'token' };
  }
  const isHeader = !name.startsWith(BARE) && /[ /()]/.test(name) && !hasControlCharacter(name);
  if (!isHeader) throw new RangeError(describeUnusable(name));
  const recognized = recognizeCrawler(name);
  if (recognized !== undefined) return { name: recognized.name, crawler: recognized, source: 'header' };
  const leading = name.slice(0, getTokenLength(name));
  if (leading === '') throw new RangeError(describeUnusable(name));
  return { ...resolveAgent(leading), source: 'header' };
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function getTokenLength(text: string): number {
  let length = 0;
  while (length < text.length && isExtendedTokenByte(text.charCodeAt(length))) length++;
  return length;
}

const MAX_QUOTED = 100;

function describeUnusable(name: string): string {
  const quoted = JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);
  return `no user-agent line can name ${quoted}: give a product token (letters, digits, "_", "-" and "."), a crawler of the catalogue or a User-Agent header`;
}

/** Preferences of names: the same few names come again and again. */
const named: Map<string, Preference> = /* @__PURE__ */ new Map();
const MAX_CACHED_NAMES = 256;
/** A longer name is a header, and is not cached, so that the cache stays small. */
const MAX_CACHED_LENGTH = 64;

/**
 * Converts a crawler, or the name of one, to what to look for in the groups.
 *
 * @throws {TypeError} {RangeError} as {@link resolveAgent} and {@link toPreference} do.
 */
export function findPreference(crawler: string | ResolvedCrawler): Preference {
  if (typeof crawler !== 'string') return toPreference(crawler);
  const cached = named.get(crawler);
  if (cached !== undefined) return cached;
  const preference = toPreference(resolveAgent(crawler).crawler);
  if (crawler.length <= MAX_CACHED_LENGTH) {
    if (named.size === MAX_CACHED_NAMES) named.clear();
    named.set(crawler, preference);
  }
  return preference;
}
