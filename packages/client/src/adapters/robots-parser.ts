// The interface of the npm package robots-parser 3, with the verdicts of Google's matcher. It loads nothing but `@maycrawl/core`.
// `docs/migrate-from-robots-parser.md` lists the differences.
import {
  GLOBAL_CRAWLER,
  parse,
  type RobotsTxt,
  type Ruleset,
  resolveAgent,
  type Verdict,
} from '@maycrawl/core';
import { parseUrl, type UrlInput } from '@maycrawl/core/url';

/** The methods of robots-parser. Without an agent they use the rules for `*`. */
export interface RobotsParser {
  /**
   * Whether the agent may fetch the URL, a product token or a User-Agent header; `undefined` if the robots.txt does not apply to the URL, or the URL
   * is invalid.
   */
  isAllowed(url: UrlInput, agent?: string): boolean | undefined;
  /** The opposite of {@link isAllowed}: also `true` if the robots.txt does not apply to the URL. */
  isDisallowed(url: UrlInput, agent?: string): boolean;
  /** The line of the deciding rule, from 1; -1 without one. */
  getMatchingLineNumber(url: UrlInput, agent?: string): number;
  /** The delay in seconds; `undefined` without one. */
  getCrawlDelay(agent?: string): number | undefined;
  /** The values of all `Sitemap` lines. */
  getSitemaps(): string[];
  /** The value of the last `Host` line in lower case; `null` without one. */
  getPreferredHost(): string | null;
}

/** The origin of relative URLs. No absolute URL has it: the name is reserved (RFC 2606 section 2). */
const RELATIVE_BASE = 'http://relative.invalid/';

/** Rulesets that a parser keeps in memory. */
const MAX_RULESETS = 100;

class CompatibleParser implements RobotsParser {
  readonly #robots: RobotsTxt;
  readonly #origin: string | undefined;
  readonly #rulesets: Map<string, Ruleset> = new Map();

  constructor(url: UrlInput, content: string) {
    this.#origin = getOrigin(url);
    this.#robots = parse(content);
  }

  isAllowed(url: UrlInput, agent?: string): boolean | undefined {
    const verdict = this.#decide(url, agent);
    return verdict?.kind === 'out-of-scope' ? undefined : verdict?.allowed;
  }

  isDisallowed(url: UrlInput, agent?: string): boolean {
    return !this.isAllowed(url, agent);
  }

  getMatchingLineNumber(url: UrlInput, agent?: string): number {
    const verdict = this.#decide(url, agent);
    return verdict === undefined || verdict.kind === 'out-of-scope' ? -1 : verdict.line || -1;
  }

  getCrawlDelay(agent?: string): number | undefined {
    return this.#getRuleset(agent).crawlDelay ?? undefined;
  }

  getSitemaps(): string[] {
    return this.#robots.sitemaps().map(({ value }) => value);
  }

  getPreferredHost(): string | null {
    const hosts = this.#robots.records().filter(({ field, value }) => /^host$/i.test(field) && value !== '');
    return hosts.at(-1)?.value.toLowerCase() ?? null;
  }

  /** Returns `undefined` if the URL is invalid, or of another origin than the robots.txt. */
  #decide(url: UrlInput, agent: string | undefined): Verdict | undefined {
    const origin = getOrigin(url);
    if (origin === undefined || origin !== this.#origin) return undefined;
    return this.#getRuleset(agent).decide(new URL(toText(url), RELATIVE_BASE).href);
  }

  #getRuleset(agent: string | undefined): Ruleset {
    // As in robots-parser, no name stands for all crawlers.
    const text = typeof agent === 'string' ? agent.trim() : (agent ?? '');
    const { name, crawler } = resolveAgent(text === '' ? GLOBAL_CRAWLER.name : text);
    const cached = this.#rulesets.get(name);
    if (cached !== undefined) return cached;
    const ruleset = this.#robots.ruleset(crawler);
    if (this.#rulesets.size === MAX_RULESETS) this.#rulesets.clear();
    this.#rulesets.set(name, ruleset);
    return ruleset;
  }
}

/** Returns a URL as a string. As in robots-parser, any value is a URL. */
function toText(url: UrlInput): string {
  return typeof url === 'string' ? url : String(url?.href);
}

function getOrigin(url: UrlInput): string | undefined {
  const parsed = parseUrl(toText(url), RELATIVE_BASE);
  return parsed && `${parsed.protocol}//${parsed.host}`;
}

/**
 * Parses a robots.txt, like the default export of robots-parser.
 *
 * @param url - the URL of the robots.txt, absolute or relative. If it is relative, URLs must be relative, too.
 * @param content - the text; `null` and `undefined` stand for an empty file.
 * @throws {RangeError} (methods with an agent) if no user-agent line can name the agent.
 * @throws {TypeError} (methods with an agent) if the agent is a User-Agent header that names no crawler.
 *
 * @example
 * const robots = robotsParser('https://shop.example/robots.txt', 'User-agent: *\nDisallow: /cart');
 * robots.isAllowed('https://shop.example/cart', 'MyBot/1.0'); // false
 */
export default function robotsParser(url: UrlInput, content?: string | null): RobotsParser {
  return new CompatibleParser(url, content ?? '');
}
