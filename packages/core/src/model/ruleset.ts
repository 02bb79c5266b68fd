// Rulesets: the rules of the groups that apply to a crawler, and decisions about URLs (RFC 9309 section 2.2).

import { checkOptions } from '../bytes/check-options.ts';
import type { UrlInput } from '../bytes/url.ts';
import type { Profile } from '../crawler/profile.ts';
import type { RuleTable } from '../matching/rule-table.ts';
import { readCrawlDelay } from '../syntax/crawl-delay.ts';
import type { RobotsRecord, Rule } from '../syntax/record.ts';
import type { CrawlerRules } from './crawler-rules.ts';
import { DECIDE_OPTIONS, type DecideOptions, decideUrl } from './decide.ts';
import type { GroupSelection, Verdict } from './verdict.ts';

/** Returns the rules of a ruleset, for modules of this package. */
export let getRules: (ruleset: Ruleset) => CrawlerRules;

/**
 * The rules that a crawler obeys in a robots.txt. Equal calls of {@link decide} return equal verdicts. The first decisions read
 * the file; then the rules are compiled to a table. All other properties are read from the file on each access.
 */
export class Ruleset {
  readonly #rules: CrawlerRules;

  static {
    getRules = (ruleset) => ruleset.#rules;
  }

  /** @param rules - Use `RobotsTxt.ruleset`. */
  constructor(rules: CrawlerRules) {
    this.#rules = rules;
    Object.freeze(this);
  }

  /** Current memory in bytes (estimate), without the document. It grows with use. */
  get sizeInBytes(): number {
    return this.#rules.sizeInBytes;
  }

  /** The kind of {@link group}. */
  get groupKind(): GroupSelection['kind'] {
    return this.#rules.groupKind;
  }

  /** The groups that apply, and the reason. The object is frozen. */
  get group(): GroupSelection {
    return this.#rules.group;
  }

  /** The profile under which the file was parsed. */
  get profile(): Profile {
    return this.#rules.source.context.profile;
  }

  /** The rules in file order. */
  get rules(): Rule[] {
    return this.#rules.readGroups().flatMap(({ rules }) => rules);
  }

  /** The distinct line numbers of the rules that can match a URL, in ascending order. This is faster than {@link rules}. */
  get ruleLines(): number[] {
    const { table } = this.#rules.matcher;
    const lines = new Set(Array.from({ length: table.count }, (_, entry) => table.line(entry)));
    return [...lines].sort((a, b) => a - b);
  }

  /** The other records of the groups that apply, such as `Crawl-delay`. They do not affect verdicts. */
  get others(): RobotsRecord[] {
    return this.#rules.readGroups().flatMap(({ others }) => others);
  }

  /**
   * The largest `Crawl-delay` of the crawler's groups in seconds, or `null`. For `Crawl-delay` only, such a line ends the list of
   * user-agent lines, as in the crawlers that obey it.
   */
  get crawlDelay(): number | null {
    return readCrawlDelay(this.#rules.source.scan(), this.#rules.agentTokens);
  }

  /**
   * Decides whether the crawler may fetch `url`.
   *
   * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
   * @throws {TypeError} if `url` is neither a string nor an instance of `URL`, or an option is unknown. A string never causes an error.
   */
  decide(url: UrlInput, options?: DecideOptions): Verdict {
    if (options !== undefined) checkOptions<DecideOptions>('decide', options, DECIDE_OPTIONS);
    return decideUrl(this.#rules, url, options?.normalize);
  }
}

/** Returns the rule table of a ruleset, for modules of this package. */
export function getRuleTable(ruleset: Ruleset): RuleTable {
  return getRules(ruleset).matcher.table;
}
