/**
 * The whole question in one call.
 *
 * @module
 */
import type { CrawlerLike } from './crawler.ts';
import { Decision } from './decision.ts';
import { DecisionOnce } from './decision-once.ts';
import { MAX_FILE_BYTES, type ParseOptions, requireBytes, requireOptions } from './document.ts';
import { FAST_ENGINE } from './fast-engine.ts';
import { comparesAsWritten, decideOnce } from './one-shot.ts';
import { parse } from './parse.ts';
import { GOOGLE, resolveProfile } from './profile.ts';
import { findPreference } from './resolve-agent.ts';
import { NONE } from './rule-table.ts';
import { type DecideOptions, groupKindOf } from './ruleset.ts';
import type { Verdict } from './verdict.ts';

/** How often {@link decide} took the short way and the long way; for tests that must know. */
export const ways: { short: number; long: number } = { short: 0, long: 0 };

/**
 * Decides whether a crawler may fetch a URL, about a file that is not needed again: several times as fast as parsing
 * it (docs/benchmarks.md). For several URLs, {@link parse} once instead. The bytes must not change while the verdict is in use:
 * its reasons are read from them when they are asked for.
 *
 * @param content - the robots.txt as bytes, or as a string.
 * @param crawler - a product token, several of which each counts, or a crawler with fallbacks.
 * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
 * @throws {TypeError} {RangeError} for a `crawler`, a `url` or an option of the wrong kind; never for what is in the
 *   content or the URL.
 * @example
 * decide('User-agent: *\nDisallow: /a', 'Googlebot', 'https://example.com/a').kind; // 'disallowed'
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  const preference = findPreference(crawler);
  requireOptions(options);
  const profile = resolveProfile(options.profile ?? GOOGLE);
  const isUsual =
    typeof url === 'string' &&
    options.url === undefined &&
    options.normalize !== false &&
    preference.sets.length === 1 &&
    preference.obeysGlobal &&
    comparesAsWritten(profile);
  const start = isUsual ? FAST_ENGINE.pathStart(url, undefined) : -1;
  if (start >= 0) {
    const bytes = requireBytes(content);
    if (bytes.length <= (options.maxBytes ?? MAX_FILE_BYTES)) {
      const answer = decideOnce(bytes, profile, preference, url, start);
      if (answer !== undefined) {
        ways.short++;
        const inFull = (): Verdict => parse(bytes, options).ruleset(crawler).decide(url, options);
        const groupKind = groupKindOf(answer.chosen, preference);
        return new DecisionOnce(answer.allowed, answer.line, groupKind, inFull).asVerdict();
      }
    }
  }
  ways.long++;
  return parse(content, options).ruleset(crawler).decide(url, options);
}

/**
 * Decides where there is no file to read: the site has none (everything is allowed), it could not be fetched (everything is
 * disallowed), or not for so long that this forbids nothing any more. A crawler that ignores robots.txt ignores that too.
 *
 * @throws {TypeError} {RangeError} as {@link decide} does.
 * @throws {RangeError} for another `because`.
 */
export function decideWithoutFile(
  because: 'absent' | 'unreachable' | 'outage-allows',
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  // A reason that is not one of these must not read as "allowed".
  if (because !== 'absent' && because !== 'unreachable' && because !== 'outage-allows')
    throw new RangeError(`not a reason to have no file: ${String(because)}`);
  const ruleset = parse('', options).ruleset(crawler);
  const verdict = ruleset.decide(url, options);
  if (verdict.kind === 'out-of-scope' || verdict.because !== 'no-group') return verdict;
  return new Decision(ruleset, NONE, because, verdict.path, 0, verdict.normalized).asVerdict();
}
