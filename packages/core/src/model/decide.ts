/**
 * The whole question in one call.
 *
 * @module
 */
import type { CrawlerLike } from '../crawler/crawler.ts';
import { GOOGLE, resolveProfile } from '../crawler/profile.ts';
import { findPreference } from '../crawler/resolve-agent.ts';
import { FAST_ENGINE } from '../matching/fast-engine.ts';
import { comparesAsWritten, decideOnce } from '../matching/one-shot.ts';
import { NONE } from '../matching/rule-table.ts';
import { getGroupKind } from './compiled-rules.ts';
import { Decision, type Explainer } from './decision.ts';
import { parse } from './parse.ts';
import { MAX_FILE_BYTES, type ParseOptions, requireBytes } from './robots-txt.ts';
import { type DecideOptions, getCompiledRules } from './ruleset.ts';
import type { Allowed, Disallowed, GroupChoice, Match, Verdict } from './verdict.ts';

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
  return (
    decideInOnePass(content, crawler, url, options) ??
    parse(content, options).ruleset(crawler).decide(url, options)
  );
}

/**
 * Decides in one pass over the bytes, without a document or a table.
 *
 * @returns `undefined` for a question that needs a document.
 * @throws {TypeError} {RangeError} as {@link decide} does.
 */
export function decideInOnePass(
  content: Uint8Array | string,
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions,
): Verdict | undefined {
  const preference = findPreference(crawler);
  const profile = resolveProfile(options.profile ?? GOOGLE);
  const isUsual =
    typeof url === 'string' &&
    options.url === undefined &&
    options.normalize !== false &&
    preference.tokenSets.length === 1 &&
    preference.obeysGlobal &&
    comparesAsWritten(profile);
  const start = isUsual ? FAST_ENGINE.findPathStart(url, undefined) : -1;
  if (start < 0) return undefined;
  const bytes = requireBytes(content);
  if (bytes.length > (options.maxBytes ?? MAX_FILE_BYTES)) return undefined;
  const answer = decideOnce(bytes, profile, preference, url, start);
  if (answer === undefined) return undefined;
  const { allowed, line, chosen } = answer;
  const groupKind = getGroupKind(chosen, preference);
  const explainer = new LazyExplainer(groupKind, () =>
    parse(bytes, options).ruleset(crawler).decide(url, options),
  );
  return new Decision(explainer, {
    allowed,
    because: groupKind === 'none' ? 'no-group' : line === 0 ? 'no-rule-matched' : 'rule',
    entry: NONE,
    line,
    text: url,
    start,
    normalized: false,
  }).asVerdict();
}

/** Explains a decision that was made without a document: it parses the file when the caller reads a reason. */
class LazyExplainer implements Explainer {
  readonly groupKind: GroupChoice['kind'];
  readonly #decideWithDocument: () => Verdict;

  constructor(groupKind: GroupChoice['kind'], decideWithDocument: () => Verdict) {
    this.groupKind = groupKind;
    this.#decideWithDocument = decideWithDocument;
  }

  get group(): GroupChoice {
    return this.#verdict().group;
  }

  readMatch(): Match | null {
    const { rule, pattern } = this.#verdict();
    return rule === null || pattern === null ? null : { rule, pattern };
  }

  findLoser(): Match | null {
    return this.#verdict().loser;
  }

  #verdict(): Allowed | Disallowed {
    return this.#decideWithDocument() as Allowed | Disallowed;
  }
}

/**
 * Decides where there is no file to read: the site has none (everything is allowed), it could not be fetched (everything is
 * disallowed), or not for so long that this forbids nothing any more. A crawler that ignores robots.txt ignores that too.
 *
 * @throws {TypeError} {RangeError} as {@link decide} does.
 */
export function decideWithoutFile(
  because: 'absent' | 'unreachable' | 'outage-allows',
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  const ruleset = parse('', options).ruleset(crawler);
  const verdict = ruleset.decide(url, options);
  if (verdict.kind === 'out-of-scope' || verdict.because !== 'no-group') return verdict;
  const { path: text, normalized } = verdict;
  const allowed = because !== 'unreachable';
  return new Decision(getCompiledRules(ruleset), {
    allowed,
    because,
    entry: NONE,
    line: 0,
    text,
    start: 0,
    normalized,
  }).asVerdict();
}
