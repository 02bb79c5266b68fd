/**
 * What is odd about sitemaps, and about records that only some read.
 *
 * @module
 */

import { WebUrl } from '../bytes/platform.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { RobotsRecord } from '../syntax/record.ts';
import { type Finding, findingAt } from './finding.ts';
import { isPublicHost } from './public-host.ts';

/** Who reads records that are no part of the protocol. */
const READERS: ReadonlyMap<string, string> = new Map([
  ['crawl-delay', 'Bing and some others, but not by Google'],
  ['host', 'nobody any more: Yandex did until 2018'],
  ['clean-param', 'Yandex alone'],
  ['request-rate', 'a few small engines (Seznam)'],
  ['visit-time', 'nobody of whom it is known'],
  ['content-signal', 'whoever follows such wishes: it is not known who does (contentsignals.org)'],
  ['content-usage', 'whoever follows such wishes: it is not known who does (a draft of the IETF)'],
]);

/** Directives of pages, which Google read here until 2019-09-01. */
const OF_PAGES = new Set(['noindex', 'nofollow', 'nosnippet', 'noarchive']);

/** Finds it. */
export function lintRecords(robots: RobotsTxt): Finding[] {
  return robots.records().flatMap((record) => {
    if (record.kind === 'sitemap') return lintSitemap(record);
    if (record.kind !== 'other') return [];
    const field = record.field.toLowerCase();
    const who = READERS.get(field);
    if (who !== undefined) return [findingAt('record-read-by-some', record, { field: record.field, who })];
    return OF_PAGES.has(field) ? [findingAt('record-read-by-nobody', record, { field: record.field })] : [];
  });
}

/** Whether a field is one of which more is known than that it is no part of the protocol. */
export function isKnownField(field: string): boolean {
  return READERS.has(field.toLowerCase()) || OF_PAGES.has(field.toLowerCase());
}

function lintSitemap(record: RobotsRecord): Finding[] {
  const { credentials, host } = authorityOf(record.text) ?? {};
  if (host === undefined) return [findingAt('sitemap-not-absolute', record, { value: record.text })];
  if (credentials !== undefined) return [findingAt('sitemap-not-public', record)];
  return isPublicHost(host) ? [] : [findingAt('sitemap-not-public', record, { host })];
}

/** Where an absolute http or https URL leads to; `undefined` for anything else. */
function authorityOf(text: string): { credentials: string | undefined; host: string } | undefined {
  try {
    const [, credentials, host] = AUTHORITY.exec(new WebUrl(text).href) ?? [];
    return host === undefined ? undefined : { credentials, host };
  } catch {
    return undefined;
  }
}

/** The URL parser escapes whatever else could look like its `@` before the path. */
const AUTHORITY = /^https?:\/\/(?:([^/@]*)@)?(\[[^\]]*\]|[^/:]*)/;
