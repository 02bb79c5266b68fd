/**
 * Resolution of agent names to crawlers. The library, command, service, monitor and audit all use it.
 *
 * @module
 */
import { isExtendedTokenByte } from '../bytes/ascii.ts';
import { findCrawler, recognizeCrawler } from './catalogue.ts';
import { type CrawlerSpec, isAgentToken, type Preference, toPreference } from './crawler.ts';

/** A crawler, and the name under which it is reported. */
export interface ResolvedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
  /**
   * Kind of the input. `catalogue`: the name or preferred token of a catalogue crawler. `token`: another token. `header`: a
   * User-Agent header.
   */
  readonly source: 'catalogue' | 'token' | 'header';
}

/** Prefix of a bare token, to which the fallbacks of the catalogue do not apply: `token:Googlebot-Image`. */
const BARE_TOKEN_PREFIX = 'token:';

/**
 * Resolves an agent name to a crawler. The name is one of:
 *
 * - the name or preferred token of a catalogue crawler, in any case: resolves to that crawler with its fallbacks;
 * - `token:NAME`: resolves to the bare token `NAME`;
 * - another product token, or extended token (`MJ12bot`): resolves to that token;
 * - a User-Agent header, which contains a space, `/` or parenthesis: resolves to the catalogue crawler that it names, or to the
 *   token at its start.
 *
 * @throws {TypeError} if `name` is not a string.
 * @throws {RangeError} for other names, because no user-agent line can name them.
 */
export function resolveAgent(name: string): ResolvedAgent {
  if (typeof name !== 'string') throw new TypeError(`an agent name must be a string, not ${String(name)}`);
  if (name === '') throw new RangeError('the agent name is empty');
  const entry = findCrawler(name);
  if (entry !== undefined) return { name: entry.name, crawler: entry, source: 'catalogue' };
  const isBare = name.startsWith(BARE_TOKEN_PREFIX);
  const token = isBare ? name.slice(BARE_TOKEN_PREFIX.length) : name;
  if (isAgentToken(token)) {
    // The reported name keeps the prefix if the token alone resolves to a catalogue crawler.
    const isShadowed = findCrawler(token) !== undefined;
    return { name: isShadowed ? name : token, crawler: { tokens: [token] }, source: 'token' };
  }
  const isHeader = !isBare && /[ /()]/.test(name) && !hasControlCharacter(name);
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
  return `no user-agent line can name ${quoted}: use a product token (letters, digits, "_", "-" and "."), a crawler of the catalogue or a User-Agent header`;
}

/** Cache of the preferences of agent names. */
const preferences: Map<string, Preference> = /* @__PURE__ */ new Map();
const MAX_CACHED_NAMES = 256;
/** Longer names are User-Agent headers. They are not cached, so that the cache stays small. */
const MAX_CACHED_LENGTH = 64;

/**
 * Converts a crawler or an agent name to its preference.
 *
 * @throws {TypeError} {RangeError} as {@link resolveAgent} and {@link toPreference} do.
 */
export function getPreference(crawler: string | CrawlerSpec): Preference {
  if (typeof crawler !== 'string') return toPreference(crawler);
  const cached = preferences.get(crawler);
  if (cached !== undefined) return cached;
  const preference = toPreference(resolveAgent(crawler).crawler);
  if (crawler.length <= MAX_CACHED_LENGTH) {
    if (preferences.size === MAX_CACHED_NAMES) preferences.clear();
    preferences.set(crawler, preference);
  }
  return preference;
}
