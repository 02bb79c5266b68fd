// Findings about sitemaps, and about records outside the protocol.
import { isPublicAddress } from '../bytes/ip-address.ts';
import { parseUrl, removeBrackets } from '../bytes/url.ts';
import type { RobotsRecord } from '../syntax/record.ts';
import { createFinding, type Finding } from './finding.ts';

/** Support for records outside the protocol, as a message. */
const SUPPORT: ReadonlyMap<string, string> = new Map([
  ['crawl-delay', 'Bing and some other crawlers support it, Google does not'],
  ['host', 'no crawler supports it since Yandex stopped in 2018'],
  ['clean-param', 'only Yandex supports it'],
  ['request-rate', 'only a few small search engines (Seznam) support it'],
  ['visit-time', 'no crawler is known to support it'],
  [
    'license',
    'Really Simple Licensing names the terms of use with it; it changes no verdict, and few crawlers are known to read it (rslstandard.org)',
  ],
]);

/** Page directives, which Google supported in robots.txt until 2019-09-01. */
const PAGE_DIRECTIVES = new Set(['noindex', 'nofollow', 'nosnippet', 'noarchive']);

/** Records for which other modules have findings. */
const DECLARATIONS = new Set(['content-usage', 'content-signal', 'content-signals']);

export function lintRecords(records: readonly RobotsRecord[]): Finding[] {
  return records.flatMap((record) => {
    if (record.kind === 'sitemap') return lintSitemap(record);
    if (record.kind !== 'other') return [];
    const field = record.field.toLowerCase();
    const support = SUPPORT.get(field);
    if (support !== undefined)
      return [createFinding('partially-supported-record', record, { field: record.field, support })];
    return PAGE_DIRECTIVES.has(field)
      ? [createFinding('unsupported-record', record, { field: record.field })]
      : [];
  });
}

/** Returns whether the linter has specific findings for a field outside the protocol. */
export function isKnownField(field: string): boolean {
  return [SUPPORT, PAGE_DIRECTIVES, DECLARATIONS].some((fields) => fields.has(field.toLowerCase()));
}

function lintSitemap(record: RobotsRecord): Finding[] {
  const { credentials, host } = parseAuthority(record.text) ?? {};
  if (host === undefined) return [createFinding('sitemap-not-absolute', record, { value: record.text })];
  if (credentials !== undefined) return [createFinding('sitemap-not-public', record)];
  return isPublicHost(host) ? [] : [createFinding('sitemap-not-public', record, { host })];
}

/** Returns the authority of an absolute http or https URL; `undefined` for other texts. */
function parseAuthority(text: string): { credentials: string | undefined; host: string } | undefined {
  const [, credentials, host] = AUTHORITY.exec(parseUrl(text)?.href ?? '') ?? [];
  return host === undefined ? undefined : { credentials, host };
}

/** The URL parser percent-encodes any other `@` before the path. */
const AUTHORITY = /^https?:\/\/(?:([^/@]*)@)?(\[[^\]]*\]|[^/:]*)/;

/**
 * Names of this machine (RFC 6761), of local networks (RFC 6762, RFC 8375; ICANN for `internal`) and names
 * that never resolve (RFC 6761). `example` is not included: documentation uses it for public names.
 */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid)$/;

/**
 * Returns whether a host can be on the public Internet.
 *
 * @param host - as the URL Standard serializes it: in lower case, an IPv4 address as four numbers, an IPv6
 *   address in brackets.
 */
function isPublicHost(host: string): boolean {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return isPublicAddress(removeBrackets(host));
  const name = host.replace(/\.$/, '');
  return name.includes('.') && !LOCAL_NAME.test(name);
}
