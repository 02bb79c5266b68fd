// The effective directives of a page for one crawler. General directives and those for the crawler are
// combined, and the most restrictive one wins (Google, "Robots meta tag specifications", sections on user
// agents and combined rules).
import { addToList } from '../bytes/add-to-list.ts';
import { quoteValue } from '../bytes/check-options.ts';
import { type CrawlerInput, isAgentToken } from '../crawler/crawler.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import { type Directive, IMAGE_PREVIEWS, type ImagePreview, parseDirectiveList } from './directive.ts';

/** A robots meta tag, or the directives of one X-Robots-Tag header for one agent. */
export interface RobotsStatement {
  readonly from: 'meta' | 'header';
  /** The agent in lower case; `null` for every crawler. */
  readonly agent: string | null;
  /**
   * The content of the tag, or the whole value of the header. If the header names more than 16 agents, only
   * the directives for this agent.
   */
  readonly text: string;
  readonly directives: readonly Directive[];
  /** `true` if different directives were omitted, because there are too many. */
  readonly isTruncated?: true;
}

/** A directive that applies to the crawler, and its origin. */
export interface AppliedDirective {
  readonly directive: Directive;
  readonly statement: RobotsStatement;
}

/** The effective directives for one crawler at one point in time. */
export interface EffectiveDirectives {
  /** All directives that apply to the crawler, including those without effect. */
  readonly directives: readonly AppliedDirective[];
  /** The directives that forbid indexing: `noindex`, `none`, or a date that has passed. Empty if indexing is allowed. */
  readonly noindex: readonly AppliedDirective[];
  /** The directives that forbid following links: `nofollow` or `none`. Empty if following is allowed. */
  readonly nofollow: readonly AppliedDirective[];
  /** Whether `noindex` does not apply where the page is embedded. Without effect if there is no `noindex`. */
  readonly indexIfEmbedded: boolean;
  readonly noImageIndex: boolean;
  readonly noTranslate: boolean;
  /** Maximum length of a snippet in characters, 0 for no snippet; `null` for no limit. */
  readonly maxSnippet: number | null;
  /** Maximum length of a video preview in seconds; `null` for no limit. */
  readonly maxVideoPreview: number | null;
  /** `null` if no directive sets it. */
  readonly maxImagePreview: ImagePreview | null;
  /** The earliest date in milliseconds since the Unix epoch; `null` if there is none. */
  readonly unavailableAfter: number | null;
}

/**
 * Reads a meta tag.
 *
 * @param name - the `name` attribute. Any name can be an agent, so only the content shows whether the tag is
 *   for crawlers.
 * @param content - the `content` attribute.
 * @returns `null` if the tag is not a robots meta tag.
 */
export function readRobotsMeta(name: string, content: string): RobotsStatement | null {
  const agent = name.trim().toLowerCase();
  if (!isAgentToken(agent)) return null;
  const list = parseDirectiveList(content, false);
  const directives = list.directives.map(({ directive }) => directive);
  if (agent !== 'robots' && directives.every(({ kind }) => kind === 'unknown')) return null;
  return {
    ...{ from: 'meta', agent: agent === 'robots' ? null : agent, text: content, directives },
    ...(list.isTruncated && { isTruncated: true }),
  };
}

/** Maximum number of agents for which each statement has the whole header value as its text. */
const MAX_SHARED = 16;

/** Reads one X-Robots-Tag header: one statement per agent, in the order of their first directive. */
export function readRobotsHeader(value: string): RobotsStatement[] {
  const agents = new Map<string | null, Directive[]>();
  const list = parseDirectiveList(value, true);
  for (const { agent, directive } of list.directives) addToList(agents, agent, directive);
  // Otherwise the memory for a header with many agents would be quadratic.
  const isShared = agents.size <= MAX_SHARED;
  return Array.from(agents, ([agent, directives]) => {
    const own = directives.map(({ text }) => text).join(', ');
    const text = isShared ? value : agent === null ? own : `${agent}: ${own}`;
    return { from: 'header', agent, text, directives, ...(list.isTruncated && { isTruncated: true }) };
  });
}

/**
 * Combines the directives that apply to one crawler.
 *
 * These are the statements that name any of its product tokens. In robots.txt, Googlebot-News obeys the group
 * for `googlebot` only if no group names it; on a page both apply (Google's page on the robots meta tag).
 * General statements apply to crawlers that obey `*`: `robots` addresses search engines, and AdsBot-Google
 * must be named (the same page).
 *
 * @param now - milliseconds since the Unix epoch.
 * @throws {TypeError | RangeError} if `crawler` is invalid.
 */
export function combineDirectives(
  statements: readonly RobotsStatement[],
  crawler: CrawlerInput,
  now: number,
): EffectiveDirectives {
  // A date would not count as passed.
  if (!Number.isFinite(now)) throw new TypeError(`the time must be in milliseconds, not ${quoteValue(now)}`);
  const { tokenSets, obeysGlobal } = getAgentTokens(crawler);
  const tokens = new Set(tokenSets.flat().map((token) => token.toLowerCase()));
  const directives = statements
    .filter(({ agent }) => (agent === null ? obeysGlobal : tokens.has(agent)))
    .flatMap((statement) => statement.directives.map((directive) => ({ directive, statement })));
  const has = (...kinds: readonly Directive['kind'][]): boolean =>
    directives.some(({ directive }) => kinds.includes(directive.kind));
  return {
    directives,
    noindex: directives.filter(({ directive }) => forbidsIndexing(directive, now)),
    nofollow: directives.filter(({ directive: { kind } }) => kind === 'nofollow' || kind === 'none'),
    indexIfEmbedded: has('indexifembedded'),
    noImageIndex: has('noimageindex'),
    noTranslate: has('notranslate'),
    maxSnippet: has('nosnippet') ? 0 : findMinimum(getLimits(directives, 'max-snippet')),
    maxVideoPreview: has('nosnippet') ? 0 : findMinimum(getLimits(directives, 'max-video-preview')),
    maxImagePreview: findSmallestPreview(directives),
    unavailableAfter: findMinimum(
      directives.flatMap(({ directive }) => (directive.kind === 'unavailable_after' ? [directive.date] : [])),
    ),
  };
}

/**
 * Whether a directive forbids indexing.
 *
 * @param now - milliseconds since the Unix epoch: the date of `unavailable_after` may have passed.
 */
function forbidsIndexing(directive: Directive, now: number): boolean {
  if (directive.kind === 'unavailable_after') return directive.date <= now;
  return directive.kind === 'noindex' || directive.kind === 'none';
}

function getLimits(
  directives: readonly AppliedDirective[],
  kind: 'max-snippet' | 'max-video-preview',
): number[] {
  return directives.flatMap(({ directive }) =>
    directive.kind === kind && directive.limit >= 0 ? [directive.limit] : [],
  );
}

function findMinimum(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => Math.min(a, b));
}

function findSmallestPreview(directives: readonly AppliedDirective[]): ImagePreview | null {
  const isPresent = (size: ImagePreview): boolean =>
    directives.some(({ directive }) => directive.kind === 'max-image-preview' && directive.size === size);
  return IMAGE_PREVIEWS.find(isPresent) ?? null;
}
