// Directives of robots meta tags and X-Robots-Tag headers (Google, "Robots meta tag, data-nosnippet, and
// X-Robots-Tag specifications").
import { isAgentToken } from '../crawler/crawler.ts';
import { isListedZone, parseDate } from './date.ts';

/** Directives without a value. */
export type FlagName =
  | 'all'
  | 'noindex'
  | 'nofollow'
  | 'none'
  | 'nosnippet'
  | 'indexifembedded'
  | 'notranslate'
  | 'noimageindex';

/** Maximum size of an image preview, the smallest first. */
export type ImagePreview = 'none' | 'standard' | 'large';

interface DirectiveText {
  /** The directive as written. */
  readonly text: string;
}

/** One directive of a list. */
export type Directive = DirectiveText &
  (
    | { readonly kind: FlagName }
    /** Characters of a snippet, or seconds of a video; -1 for no limit. */
    | { readonly kind: 'max-snippet' | 'max-video-preview'; readonly limit: number }
    | { readonly kind: 'max-image-preview'; readonly size: ImagePreview }
    /** Milliseconds since the Unix epoch. */
    | { readonly kind: 'unavailable_after'; readonly date: number }
    /** An unknown directive, or one with an invalid value. It has no effect. */
    | { readonly kind: 'unknown' }
  );

interface AddressedDirective {
  /** In lower case; `null` if the directive applies to every crawler. */
  readonly agent: string | null;
  readonly directive: Directive;
}

const FLAGS: ReadonlySet<string> = new Set<FlagName>([
  ...(['all', 'noindex', 'nofollow', 'none'] as const),
  ...(['nosnippet', 'indexifembedded', 'notranslate', 'noimageindex'] as const),
]);
const VALUED: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
]);
/** Directives of this form have values, those that are unknown included. */
const LIMIT_PREFIX = 'max-';
export const IMAGE_PREVIEWS: readonly ImagePreview[] = ['none', 'standard', 'large'];

/** Maximum number of different directives of a list that are kept, and with those without a value for single crawlers. */
const [MAX_DIRECTIVES, MAX_WITH_FLAGS] = [1_000, 10_000] as const;

/** Maximum number of commas in a date: `Tuesday, Jul 21, 2020`. */
const MAX_DATE_COMMAS = 2;

export function isFlag({ kind }: Directive): boolean {
  return FLAGS.has(kind);
}

interface DirectiveList {
  readonly directives: AddressedDirective[];
  readonly isTruncated: boolean;
}

/**
 * Parses a list of directives separated by commas. Each is returned once, and 1,000 of them at most; beyond them those without a value, such
 * as `noindex`: all that are for every crawler, and 10,000 for others.
 *
 * @param hasAgents - whether the list is the value of an X-Robots-Tag header: `agent:` before a directive names the agent for it and all
 *   following directives, until the next agent. An agent is a product token or an extended token such as `MJ12bot`; no agent begins with
 *   `max-`.
 */
export function parseDirectiveList(list: string, hasAgents: boolean): DirectiveList {
  const directives: AddressedDirective[] = [];
  const seen = new Set<string>();
  let isTruncated = false;
  for (const { agent, text } of splitDirectives(list, hasAgents)) {
    const lower = text.toLowerCase();
    const key = `${agent ?? ''}:${lower}`;
    if (seen.has(key)) continue;
    // A page that forbids indexing must not seem to allow it because of what its list has before.
    const limit = !FLAGS.has(lower) ? MAX_DIRECTIVES : agent === null ? Infinity : MAX_WITH_FLAGS;
    if (directives.length < limit) {
      seen.add(key);
      directives.push({ agent, directive: parseDirective(text) });
    } else isTruncated = true;
  }
  return { directives, isTruncated };
}

/** Splits a list into its directives as written, each with its agent in lower case. */
export function* splitDirectives(
  list: string,
  hasAgents: boolean,
): Generator<{ readonly agent: string | null; readonly text: string }, void, undefined> {
  let agent: string | null = null;
  for (let start = 0; start <= list.length; ) {
    let end = findElementEnd(list, start);
    let text = list.slice(start, end).trim();
    for (let name = hasAgents ? getAgent(text) : null; name !== null; name = getAgent(text)) {
      agent = name.toLowerCase();
      text = text.slice(text.indexOf(':') + 1).trim();
    }
    if (/^unavailable_after\s*:/i.test(text)) {
      const following: string[] = [];
      const ends = [end];
      for (let at = end; at < list.length && following.length < MAX_DATE_COMMAS; at = ends.at(-1) as number) {
        ends.push(findElementEnd(list, at + 1));
        following.push(list.slice(at + 1, ends.at(-1)));
      }
      const commas = countDateCommas(text, following);
      text = [text, ...following.slice(0, commas)].join(',').trim();
      end = ends[commas] as number;
    }
    if (text !== '') yield { agent, text };
    start = end + 1;
  }
}

function findElementEnd(list: string, start: number): number {
  const comma = list.indexOf(',', start);
  return comma < 0 ? list.length : comma;
}

/** Returns the agent at the start of an element; `null` if its text before the first colon is not an agent. */
function getAgent(text: string): string | null {
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const name = text.slice(0, colon).trimEnd();
  const directive = name.toLowerCase();
  if (FLAGS.has(directive) || VALUED.has(directive) || directive.startsWith(LIMIT_PREFIX)) return null;
  return isAgentToken(name) && !isTime(text, colon) ? name : null;
}

/** Returns whether a colon separates digits, as in `15:00`: an invalid date has elements that are not agents. */
function isTime(text: string, colon: number): boolean {
  return /\d/.test(text.charAt(colon - 1)) && /\d/.test(text.charAt(colon + 1));
}

/** Returns how many of the following elements belong to a date that contains commas: the most that form a valid date. */
function countDateCommas(text: string, following: readonly string[]): number {
  for (let commas = following.length; commas > 0; commas--) {
    if (isDirectiveWord(following[commas - 1] as string)) continue;
    if (parseDateValue([text, ...following.slice(0, commas)].join(',')) !== null) return commas;
  }
  return 0;
}

/** Whether an element after a date is a word such as `none`, which could also be read as an unknown zone. */
function isDirectiveWord(element: string): boolean {
  const word = element.trim();
  return /^[a-z]+$/i.test(word) && !isListedZone(word);
}

function parseDateValue(text: string): number | null {
  return parseDate(text.slice(text.indexOf(':') + 1));
}

function parseDirective(text: string): Directive {
  const colon = text.indexOf(':');
  const name = (colon < 0 ? text : text.slice(0, colon)).trim().toLowerCase();
  const unknown: Directive = { kind: 'unknown', text };
  if (colon < 0) return FLAGS.has(name) ? { kind: name as FlagName, text } : unknown;
  const value = text
    .slice(colon + 1)
    .trim()
    .toLowerCase();
  if (name === 'max-snippet' || name === 'max-video-preview')
    return /^(?:-1|\d{1,15})$/.test(value) ? { kind: name, limit: Number(value), text } : unknown;
  if (name === 'max-image-preview') {
    const size = IMAGE_PREVIEWS.find((each) => each === value);
    return size === undefined ? unknown : { kind: name, size, text };
  }
  const date = name === 'unavailable_after' ? parseDateValue(text) : null;
  return date === null ? unknown : { kind: 'unavailable_after', date, text };
}
