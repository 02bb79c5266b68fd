// The scope of an audit.
import { resolveUrl } from '@maycrawl/core/indexability';
import { createPathTest } from '../path-patterns.ts';
import { type Classify, getHost } from '../run/records/url.ts';
import type { RunSettings } from '../run/settings.ts';
import { findMistake, getShape } from './url-shape.ts';

type Scope = Pick<RunSettings, 'starts' | 'scope' | 'include' | 'exclude' | 'maxAlike'>;

/**
 * Checks the scope of an audit.
 *
 * @throws {RangeError} for a start that is not an http or https URL, or a pattern that can never match.
 */
export function requireScope({ starts, include, exclude }: Scope): void {
  starts.map(parseStart);
  for (const patterns of [include, exclude]) createPathTest(patterns);
}

/** Creates the classifier of new URLs. @throws as {@link requireScope} does. */
export async function createClassifier(settings: Scope): Promise<Classify> {
  const { maxAlike } = settings;
  const isInside = await createScopeCheck(settings);
  const isIncluded = createPathTest(settings.include);
  const isExcluded = createPathTest(settings.exclude);
  return (url) => {
    if (!isInside(url)) return { state: 'outside' };
    if (isIncluded !== null && !isIncluded(url)) return { state: 'outside', reason: 'no --include matches' };
    if (isExcluded?.(url)) return { state: 'outside', reason: 'excluded' };
    const mistake = findMistake(url);
    if (mistake !== null) return { state: 'crawl-trap', reason: mistake };
    const shape = maxAlike === null ? null : getShape(url);
    if (shape === null || maxAlike === null) return { state: 'waiting' };
    return { state: 'waiting', shape: { name: shape, limit: maxAlike } };
  };
}

/** Parses a start. @throws {RangeError} if it is not an http or https URL. */
export function parseStart(start: string): string {
  const url = resolveUrl(start, start);
  if (url === null) throw new RangeError(`not an http or https URL: ${start}`);
  return url;
}

/** Returns http and https URLs in their stored form, without other ones. */
export function resolveUrls(urls: readonly string[]): string[] {
  return urls.flatMap((url) => resolveUrl(url, url) ?? []);
}

/** Returns the folder that contains a URL. */
export function getFolderUrl(url: string): string {
  return url.slice(0, url.split('?', 1)[0]?.lastIndexOf('/')).concat('/');
}

async function createScopeCheck({ starts, scope }: Scope): Promise<(url: string) => boolean> {
  const urls = starts.map(parseStart);
  if (scope === 'prefix') {
    const prefixes = urls.map(getFolderUrl);
    return (url) => prefixes.some((prefix) => url.startsWith(prefix));
  }
  if (scope === 'host') {
    const hosts = new Set(urls.map(getHost));
    return (url) => hosts.has(getHost(url));
  }
  // Loaded when it is first used: its list of public suffixes is large.
  const { getDomain } = await import('tldts');
  // An address, or `localhost`, has no registrable domain.
  const getRegistrableDomain = (url: string): string => {
    const { hostname } = new URL(url);
    return getDomain(hostname) ?? hostname;
  };
  const domains = new Set(urls.map(getRegistrableDomain));
  const known = new Map<string, boolean>();
  return (url) => {
    const host = getHost(url);
    let isKnown = known.get(host);
    if (isKnown === undefined) {
      isKnown = domains.has(getRegistrableDomain(url));
      if (known.size >= 10_000) known.clear();
      known.set(host, isKnown);
    }
    return isKnown;
  };
}
