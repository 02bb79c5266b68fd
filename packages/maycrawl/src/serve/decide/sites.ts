/**
 * Which site a URL is of, and what to say of what is no URL.
 *
 * @module
 */

import { parse, type Ruleset } from '@maycrawl/core';
import { findOrigin } from '@maycrawl/core/url';
import { toJsonError } from '../../reports/answer.ts';
import { Problem } from '../http/problems.ts';

/** Beginnings of URLs that are kept with their origins, and how long they may be. */
const MAX_SITES = 20_000;
const MAX_BEGINNING = 300;

/** Tells what is no URL. */
const NOTHING: Ruleset = parse('').ruleset('none');

/** Why there is no answer about what has no origin, as JSON. */
export function urlErrorOf(url: string): { readonly code: string; readonly message: string } {
  const verdict = NOTHING.decide(url);
  if (verdict.kind === 'out-of-scope') return toJsonError(verdict);
  return { code: 'invalid-url', message: 'not an absolute URL' };
}

/** The origin of a URL. @throws {Problem} if it has none. */
export function parseOrigin(url: string): string {
  const origin = findOrigin(url);
  if (origin !== undefined) return origin;
  const { code, message } = urlErrorOf(url);
  throw new Problem(code === 'unsupported-scheme' ? code : 'invalid-url', message);
}

/** The origins of URLs: nearly all begin with the same few. */
export class Sites {
  /** All are forgotten when there are too many: to keep account of their use takes longer than to read a URL again. */
  readonly #known: Map<string, string> = new Map();

  /** `undefined` for what has none. */
  parseOrigin(url: string): string | undefined {
    const start = getStart(url);
    if (start === undefined || start.length > MAX_BEGINNING) return findOrigin(url);
    let known = this.#known.get(start);
    if (known === undefined) {
      known = findOrigin(`${start}/`);
      if (this.#known.size >= MAX_SITES) this.#known.clear();
      // A copy: a part of a string keeps the whole of it in memory.
      if (known !== undefined) this.#known.set(Buffer.from(start).toString(), known);
    }
    // What follows may have to be read before the beginning means something.
    return known ?? findOrigin(url);
  }
}

/** Scheme, host and port as they are written, of a URL in the usual form. What follows them does not change them. */
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
