// Lists of sites: hosts or origins, one a line, and the lists of Tranco (`rank,domain`) and CrUX (`origin,rank`).
import { requireString, requireStrings } from '@maycrawl/core/internal';
import { parseUrl } from '@maycrawl/core/url';
import { InputError } from '../find-inputs.ts';
import type { ReadInputOptions } from '../open-input.ts';
import { readLines } from '../read-list.ts';
import type { InputFile } from '../task.ts';

/** Names of columns, in the first line. */
const HEADER = /^(?:rank|domain|origin|host|site|url)$/i;

/**
 * Reads the sites of a list, in their order.
 *
 * @param list - a path or a URL, with gzip or not.
 * @returns origins. That of a host is https.
 * @throws {InputError} if the list cannot be read, or a line is not a site.
 */
export async function readSiteList(list: string, options: ReadInputOptions = {}): Promise<string[]> {
  requireString('readSiteList: the list', list);
  const lines = await readLines(list, options);
  return lines.flatMap((line, index) => {
    if (line.startsWith('#') || (index === 0 && line.split(',').every((field) => HEADER.test(field.trim()))))
      return [];
    const site = toSite(getName(line));
    if (site === undefined)
      throw new InputError(
        `${list}: neither a host nor an origin, in line ${index + 1} of those with text: ${line}`,
      );
    return site;
  });
}

/** Creates the inputs of sites. @throws {TypeError} if they are not a list of strings. */
export function createSiteInputs(sites: readonly string[]): InputFile[] {
  requireStrings('createSiteInputs: sites', sites);
  return sites.map((path) => ({ path, format: 'site', bytes: 0 }));
}

/** Returns the field with the name: the one that is no rank. */
function getName(line: string): string {
  const [first = '', second] = line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
  return second !== undefined && /^\d+$/.test(first) ? second : first;
}

function toSite(name: string): string | undefined {
  // A number would be an IPv4 address.
  if (/^\d+$/.test(name)) return undefined;
  const url = parseUrl(/^[a-z]+:\/\//i.test(name) ? name : `https://${name}`);
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return undefined;
  const { pathname, search, hash, username, password, origin } = url;
  return pathname === '/' && [search, hash, username, password].every((part) => part === '')
    ? origin
    : undefined;
}
