// The sources of preferences: what a site serves for all of its URLs, and what a page says about itself.
import { checkOptions, type OptionTypes } from '../bytes/check-options.ts';
import type { RobotsPolicy } from '../model/robots-policy.ts';

/** A document of Really Simple Licensing. */
export interface RslDocument {
  /** The URL by which License lines, Link headers and link elements refer to it; `null` if it applies without a reference. */
  readonly url: string | null;
  readonly text: string;
}

/** The sources that are the same for all URLs of a site. Sources that are missing declare nothing. */
export interface SiteSources {
  /** The policy of the origin, which can contain a robots.txt. @defaultValue the site has no robots.txt */
  readonly policy?: RobotsPolicy;
  /** The text of `/.well-known/tdmrep.json`. */
  readonly tdmrep?: string;
  readonly rsl?: readonly RslDocument[];
}

/** The sources that belong to a page. Sources that are missing declare nothing. */
export interface PageSources {
  /** The headers of the response, one pair per header line. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The meta elements of the page that have a `name`, in order. */
  readonly metas?: readonly { readonly name: string; readonly content: string }[];
  /** The URLs of RSL documents to which link elements of the page refer. */
  readonly licenses?: readonly string[];
  /** The texts of RSL documents in script elements of the page. */
  readonly inlineRsl?: readonly string[];
  /**
   * Whether the page has statements that the lists lack. One of them can be a refusal, so no use counts as allowed.
   *
   * @defaultValue false
   */
  readonly isTruncated?: boolean;
}

/** The sources of preferences. Sources that are missing declare nothing. */
export interface PreferenceSources extends SiteSources, PageSources {}

/** The types of the sources of a site, and of a page. The functions below check the lists. */
const SITE_TYPES: OptionTypes<SiteSources> = { policy: 'object', tdmrep: 'string', rsl: 'any' };
const PAGE_TYPES: OptionTypes<PageSources> = {
  headers: 'any',
  metas: 'any',
  licenses: 'any',
  inlineRsl: 'any',
  isTruncated: 'boolean',
};

/** @throws {TypeError} for a source that neither a site nor a page has, or a source of another type. */
export function requireSources(sources: PreferenceSources): void {
  requireNoRobots(sources);
  checkOptions<PreferenceSources>('sources', sources, { ...SITE_TYPES, ...PAGE_TYPES });
}

/** A robots.txt without its policy would be ignored, with its rules and refusals. */
function requireNoRobots(sources: SiteSources): void {
  if (typeof sources === 'object' && sources !== null && 'robots' in sources)
    throw new TypeError("sources has no robots: give policy, such as { kind: 'rules', robots: parse(text) }");
}

/** @throws {TypeError} for a source that a site does not have, or a source of another type. */
export function requireSiteSources(sources: SiteSources): void {
  requireNoRobots(sources);
  checkOptions<SiteSources>('sources of a site', sources, SITE_TYPES);
  const { rsl = [] } = sources;
  requireItems('rsl', rsl, 'documents { url, text }', (each) => {
    return isText(each?.text) && (each.url === null || isText(each.url));
  });
}

/** @throws {TypeError} for a source that a page does not have, or a source of another type. */
export function requirePageSources(sources: PageSources): void {
  checkOptions<PageSources>('sources of a page', sources, PAGE_TYPES);
  const { headers = [], metas = [], licenses = [], inlineRsl = [] } = sources;
  requireItems('headers', headers, 'pairs of a name and a value', (each) => {
    return Array.isArray(each) && isText(each[0]) && isText(each[1]);
  });
  requireItems('metas', metas, 'elements { name, content }', (each) => {
    return isText(each?.name) && isText(each.content);
  });
  requireItems('licenses', licenses, 'URLs', isText);
  requireItems('inlineRsl', inlineRsl, 'strings', isText);
}

function requireItems<T>(
  name: string,
  items: readonly T[],
  what: string,
  isValid: (item: T) => boolean,
): void {
  if (!Array.isArray(items) || !items.every(isValid))
    throw new TypeError(`${name} must be an array of ${what}, not ${String(items)}`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
