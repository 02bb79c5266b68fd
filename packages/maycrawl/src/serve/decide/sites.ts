// The origins of URLs, and errors of texts without an origin.

import { parse, type Ruleset } from '@maycrawl/core';
import { findOrigin } from '@maycrawl/core/url';
import { toJsonError } from '../../reports/json-verdict.ts';
import { Problem } from '../http/problems.ts';

/** The largest number of cached origins, and the largest length of their keys. */
const MAX_SITES = 20_000;
const MAX_START_LENGTH = 300;

/** Its verdicts have the errors of invalid URLs. */
const NOTHING: Ruleset = parse('').ruleset('none');

/** Returns the error of a URL without an origin, as JSON. */
export function getUrlError(url: string): { readonly code: string; readonly message: string } {
  const verdict = NOTHING.decide(url);
  if (verdict.kind === 'out-of-scope') return toJsonError(verdict);
  return { code: 'invalid-url', message: 'not an absolute URL' };
}

/** Parses the origin of a URL. @throws {Problem} if it has none. */
export function parseOrigin(url: string): string {
  const origin = findOrigin(url);
  if (origin !== undefined) return origin;
  const { code, message } = getUrlError(url);
  throw new Problem(code === 'unsupported-scheme' ? code : 'invalid-url', message);
}

/** Caches the origins of URLs by their start. */
export class Sites {
  /** Cleared when it is full: tracking the use of entries takes longer than parsing a URL again. */
  readonly #known: Map<string, string> = new Map();

  /** Returns the origin of a URL; `undefined` if it has none. */
  parseOrigin(url: string): string | undefined {
    const start = getStart(url);
    if (start === undefined || start.length > MAX_START_LENGTH) return findOrigin(url);
    let known = this.#known.get(start);
    if (known === undefined) {
      known = findOrigin(`${start}/`);
      if (this.#known.size >= MAX_SITES) this.#known.clear();
      // A copy: a slice keeps the whole string in memory.
      if (known !== undefined) this.#known.set(Buffer.from(start).toString(), known);
    }
    // The rest may be necessary to parse the start.
    return known ?? findOrigin(url);
  }
}

/** Returns scheme, host and port as written, for URLs whose rest does not change them. */
function getStart(url: string): string | undefined {
  const host = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : 0;
  if (host === 0) return undefined;
  for (let at = host; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === SLASH || code === QUESTION || code === HASH || code === BACKSLASH)
      return at === host ? undefined : url.slice(0, at);
    if (code === AT) return undefined;
  }
  return url;
}

const [HASH, SLASH, QUESTION, AT, BACKSLASH] = [0x23, 0x2f, 0x3f, 0x40, 0x5c] as const;
