/**
 * Decisions about a file in one call.
 *
 * @module
 */
import type { CrawlerInput } from '../crawler/crawler.ts';
import { GOOGLE, resolveProfile } from '../crawler/profile.ts';
import { getPreference } from '../crawler/resolve-agent.ts';
import { FAST_ENGINE } from '../matching/fast-engine.ts';
import { comparesAsWritten, decideOnce } from '../matching/one-shot.ts';
import { NONE } from '../matching/rule-table.ts';
import { getGroupKind } from './compiled-rules.ts';
import { Decision, type Explainer } from './decision.ts';
import { parse } from './parse.ts';
import { MAX_FILE_BYTES, type ParseOptions, requireBytes, requireOptions } from './robots-txt.ts';
import type { DecideOptions } from './ruleset.ts';
import type { Allowed, Disallowed, GroupSelection, Match, Verdict } from './verdict.ts';

/**
 * Decides whether a crawler may fetch a URL. For a single URL this is several times as fast as parsing the file (docs/benchmarks.md);
 * for several URLs, use {@link parse} once. The verdict reads its reasons from the bytes on demand, so do not change the bytes while
 * the verdict is in use.
 *
 * @param content - the robots.txt as bytes, or as a string, which is encoded as UTF-8.
 * @param crawler - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
 * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
 * @throws {TypeError} {RangeError} if `content`, `crawler`, `url` or an option is invalid. The text of the file and of the URL never
 *   cause an error.
 * @example
 * decide('User-agent: *\nDisallow: /a', 'Googlebot', 'https://example.com/a').kind; // 'disallowed'
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerInput,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  return (
    decideInOnePass(content, crawler, url, options) ??
    parse(content, options).ruleset(crawler).decide(url, options)
  );
}

/**
 * Decides in one pass over the bytes, without a document or a rule table.
 *
 * @returns `undefined` if the decision needs a parsed document.
 * @throws {TypeError} {RangeError} as {@link decide} does.
 */
export function decideInOnePass(
  content: Uint8Array | string,
  crawler: CrawlerInput,
  url: string,
  options: ParseOptions & DecideOptions,
): Verdict | undefined {
  const preference = getPreference(crawler);
  requireOptions(options);
  const profile = resolveProfile(options.profile ?? GOOGLE);
  const isSupported =
    typeof url === 'string' &&
    options.url === undefined &&
    options.normalize !== false &&
    preference.tokenSets.length === 1 &&
    preference.obeysGlobal &&
    comparesAsWritten(profile);
  const start = isSupported ? FAST_ENGINE.findPathStart(url, undefined) : -1;
  if (start < 0) return undefined;
  const bytes = requireBytes(content);
  if (bytes.length > (options.maxBytes ?? MAX_FILE_BYTES)) return undefined;
  const result = decideOnce(bytes, profile, preference, url, start);
  if (result === undefined) return undefined;
  const { allowed, line, chosen } = result;
  const groupKind = getGroupKind(chosen, preference);
  const explainer = new LazyExplainer(groupKind, () =>
    parse(bytes, options).ruleset(crawler).decide(url, options),
  );
  return new Decision(explainer, {
    allowed,
    reason: groupKind === 'none' ? 'no-group' : line === 0 ? 'no-rule-matched' : 'rule',
    entry: NONE,
    line,
    text: url,
    start,
    normalized: false,
  }).asVerdict();
}

/** Explains a decision that was made without a document. It parses the file when a reason is read. */
class LazyExplainer implements Explainer {
  readonly groupKind: GroupSelection['kind'];
  readonly #decideWithDocument: () => Verdict;

  constructor(groupKind: GroupSelection['kind'], decideWithDocument: () => Verdict) {
    this.groupKind = groupKind;
    this.#decideWithDocument = decideWithDocument;
  }

  get group(): GroupSelection {
    return this.#verdict().group;
  }

  readMatch(): Match | null {
    const { rule, pattern } = this.#verdict();
    return rule === null || pattern === null ? null : { rule, pattern };
  }

  findOverriddenMatch(): Match | null {
    return this.#verdict().overriddenMatch;
  }

  #verdict(): Allowed | Disallowed {
    return this.#decideWithDocument() as Allowed | Disallowed;
  }
}
