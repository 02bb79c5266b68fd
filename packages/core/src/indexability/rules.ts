/**
 * What a page's directives come to for one crawler. Those for every crawler and its own are added up, and the most
 * restrictive wins (Google's page on the robots meta tag, sections on user agents and on combined rules).
 *
 * @module
 */
import type { CrawlerLike } from '../crawler/crawler.ts';
import { getPreference } from '../crawler/resolve-agent.ts';
import {
  type Directive,
  IMAGE_PREVIEWS,
  type ImagePreview,
  parseDirectives,
  parseRobotsHeader,
} from './directive.ts';

/** A meta tag, or what an X-Robots-Tag header says to one agent. */
export interface Statement {
  readonly from: 'meta' | 'header';
  /** The agent in small letters; `null` if it is for every crawler. */
  readonly agent: string | null;
  /** The content of the tag, or the whole value of the header; of a header for more than 16 agents what concerns this one. */
  readonly text: string;
  readonly directives: readonly Directive[];
}

/** A directive that concerns the crawler, and where it stands. */
export interface Applied {
  readonly directive: Directive;
  readonly statement: Statement;
}

/** What holds for one crawler at a moment. */
export interface PageRules {
  /** All directives that concern the crawler, also those that change nothing. */
  readonly applied: readonly Applied[];
  /** Why the page must not be indexed: `noindex`, `none`, or a date that has passed. Empty if it may be. */
  readonly noindex: readonly Applied[];
  /** Why its links must not be followed: `nofollow` or `none`. Empty if they may be. */
  readonly nofollow: readonly Applied[];
  /** Where the page is embedded, `noindex` does not hold. Says nothing without `noindex`. */
  readonly indexIfEmbedded: boolean;
  readonly noImageIndex: boolean;
  readonly noTranslate: boolean;
  /** Characters, 0 if there must be no snippet; `null`: no limit. */
  readonly maxSnippet: number | null;
  /** Seconds; `null`: no limit. */
  readonly maxVideoPreview: number | null;
  /** `null`: nothing is said. */
  readonly maxImagePreview: ImagePreview | null;
  /** The earliest date; milliseconds since 1970. */
  readonly unavailableAfter: number | null;
}

/**
 * Reads a meta tag.
 *
 * @returns `null` if it is none for crawlers: any name can be a crawler's, so what is said in it decides.
 */
export function readRobotsMeta(name: string, content: string): Statement | null {
  const agent = name.trim().toLowerCase();
  if (!/^[a-z_-]+$/.test(agent)) return null;
  const directives = parseDirectives(content);
  if (agent !== 'robots' && directives.every(({ kind }) => kind === 'unknown')) return null;
  return { from: 'meta', agent: agent === 'robots' ? null : agent, text: content, directives };
}

/** Statements of one header have its whole value as their text if there are no more of them. */
const MAX_SHARED = 16;

/** Reads one X-Robots-Tag header: a statement for each agent that it names, in the order in which they are named. */
export function readRobotsHeader(value: string): Statement[] {
  const agents = new Map<string | null, Directive[]>();
  for (const { agent, directive } of parseRobotsHeader(value)) {
    const directives = agents.get(agent);
    if (directives === undefined) agents.set(agent, [directive]);
    else directives.push(directive);
  }
  // Else a header that names a thousand agents would be there a thousand times.
  const isShared = agents.size <= MAX_SHARED;
  return Array.from(agents, ([agent, directives]) => {
    const own = directives.map(({ text }) => text).join(', ');
    const text = isShared ? value : agent === null ? own : `${agent}: ${own}`;
    return { from: 'header', agent, text, directives };
  });
}

/**
 * Adds up what concerns one crawler.
 *
 * Its own statements are those that name any of its product tokens. A robots.txt speaks to Googlebot-News by `googlebot`
 * only where no group names it; on a page both count, as `googlebot` is for all results (Google's page). Statements for
 * every crawler concern those that obey `*`: `robots` is for search engines, and AdsBot-Google must be named (the same page).
 *
 * @param now - milliseconds since 1970.
 * @throws {TypeError | RangeError} for what is no crawler.
 */
export function addUpRules(statements: readonly Statement[], crawler: CrawlerLike, now: number): PageRules {
  const { tokenSets, obeysGlobal } = getPreference(crawler);
  const tokens = new Set(tokenSets.flat().map((token) => token.toLowerCase()));
  const applied = statements
    .filter(({ agent }) => (agent === null ? obeysGlobal : tokens.has(agent)))
    .flatMap((statement) => statement.directives.map((directive) => ({ directive, statement })));
  const has = (...kinds: readonly Directive['kind'][]): boolean =>
    applied.some(({ directive }) => kinds.includes(directive.kind));
  return {
    applied,
    noindex: applied.filter(({ directive }) => forbidsIndexing(directive, now)),
    nofollow: applied.filter(({ directive: { kind } }) => kind === 'nofollow' || kind === 'none'),
    indexIfEmbedded: has('indexifembedded'),
    noImageIndex: has('noimageindex'),
    noTranslate: has('notranslate'),
    maxSnippet: has('nosnippet') ? 0 : smallest(limitsOf(applied, 'max-snippet')),
    maxVideoPreview: has('nosnippet') ? 0 : smallest(limitsOf(applied, 'max-video-preview')),
    maxImagePreview: smallestPreview(applied),
    unavailableAfter: smallest(
      applied.flatMap(({ directive }) => (directive.kind === 'unavailable_after' ? [directive.date] : [])),
    ),
  };
}

function forbidsIndexing(directive: Directive, now: number): boolean {
  if (directive.kind === 'unavailable_after') return directive.date <= now;
  return directive.kind === 'noindex' || directive.kind === 'none';
}

function limitsOf(applied: readonly Applied[], kind: 'max-snippet' | 'max-video-preview'): number[] {
  return applied.flatMap(({ directive }) =>
    directive.kind === kind && directive.limit >= 0 ? [directive.limit] : [],
  );
}

function smallest(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((a, b) => Math.min(a, b));
}

function smallestPreview(applied: readonly Applied[]): ImagePreview | null {
  const isSaid = (size: ImagePreview): boolean =>
    applied.some(({ directive }) => directive.kind === 'max-image-preview' && directive.size === size);
  return IMAGE_PREVIEWS.find(isSaid) ?? null;
}
