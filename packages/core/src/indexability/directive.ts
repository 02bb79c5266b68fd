/**
 * What a page allows crawlers to do with it: the values of robots meta tags and of the X-Robots-Tag header (Google's page
 * "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications").
 *
 * @module
 */
import { isProductToken } from '../crawler/crawler.ts';
import { parseDate } from './date.ts';

/** Directives that are a word. */
export type FlagName =
  | 'all'
  | 'noindex'
  | 'nofollow'
  | 'none'
  | 'nosnippet'
  | 'indexifembedded'
  | 'notranslate'
  | 'noimageindex';

/** How large an image may be shown, the smallest first. */
export type ImagePreview = 'none' | 'standard' | 'large';

interface Written {
  /** As it stands in the page. */
  readonly text: string;
}

/** One value of a list. */
export type Directive = Written &
  (
    | { readonly kind: FlagName }
    /** Characters of a snippet, or seconds of a video; -1: no limit. */
    | { readonly kind: 'max-snippet' | 'max-video-preview'; readonly limit: number }
    | { readonly kind: 'max-image-preview'; readonly size: ImagePreview }
    /** Milliseconds since 1970. */
    | { readonly kind: 'unavailable_after'; readonly date: number }
    /** Nothing that Google knows, or a value that it cannot read: it is ignored. */
    | { readonly kind: 'unknown' }
  );

/** A directive and whom it is for. */
export interface AddressedDirective {
  /** In small letters; `null` if it is for every crawler. */
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
export const IMAGE_PREVIEWS: readonly ImagePreview[] = ['none', 'standard', 'large'];

/** How many directives of one list are read. */
const MAX_DIRECTIVES = 1000;

/** How many commas a date may contain: `Tuesday, Jul 21, 2020`. */
const MAX_DATE_COMMAS = 2;

/** Reads the content of a robots meta tag: values, separated by commas. */
export function parseDirectives(content: string): Directive[] {
  return readList(content, false).map(({ directive }) => directive);
}

/**
 * Reads the value of one X-Robots-Tag header: as in a meta tag, but `agent:` before a value says whom it and all that
 * follow it in this header are for, until another agent is named.
 */
export function parseRobotsHeader(value: string): AddressedDirective[] {
  return readList(value, true);
}

function readList(list: string, hasAgents: boolean): AddressedDirective[] {
  const pieces = list.split(',', MAX_DIRECTIVES);
  const directives: AddressedDirective[] = [];
  let agent: string | null = null;
  for (let at = 0; at < pieces.length; at++) {
    let text = (pieces[at] as string).trim();
    for (let named = hasAgents ? agentBefore(text) : null; named !== null; named = agentBefore(text)) {
      agent = named.toLowerCase();
      text = text.slice(text.indexOf(':') + 1).trim();
    }
    if (/^unavailable_after\s*:/i.test(text)) {
      const commas = commasInDate(text, pieces.slice(at + 1, at + 1 + MAX_DATE_COMMAS));
      text = [text, ...pieces.slice(at + 1, at + 1 + commas)].join(',').trim();
      at += commas;
    }
    if (text !== '') directives.push({ agent, directive: readDirective(text) });
  }
  return directives;
}

/** The agent that a value begins with; `null` if what stands before its first colon is a directive, or nothing. */
function agentBefore(text: string): string | null {
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const name = text.slice(0, colon).trimEnd();
  const known = name.toLowerCase();
  return isProductToken(name) && !FLAGS.has(known) && !VALUED.has(known) ? name : null;
}

/** How many of the pieces that follow belong to the date: as many as leave it a date. */
function commasInDate(text: string, following: readonly string[]): number {
  for (let commas = following.length; commas > 0; commas--)
    if (dateIn([text, ...following.slice(0, commas)].join(',')) !== null) return commas;
  return 0;
}

function dateIn(text: string): number | null {
  return parseDate(text.slice(text.indexOf(':') + 1));
}

function readDirective(text: string): Directive {
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
  const date = name === 'unavailable_after' ? dateIn(text) : null;
  return date === null ? unknown : { kind: 'unavailable_after', date, text };
}
