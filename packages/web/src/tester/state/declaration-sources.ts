// Sources of preferences beside the robots.txt, as the texts that the user enters.

import { truncate } from '@maycrawl/core/internal';
import type { PreferenceSources } from '@maycrawl/core/preferences';

/** The texts. Empty texts declare nothing. */
export interface SourceTexts {
  /** Header lines of the response of a page. */
  readonly headers: string;
  /** The HTML of the page, or only its meta elements. */
  readonly html: string;
  /** The content of `/.well-known/tdmrep.json`. */
  readonly tdmrep: string;
  readonly rsl: string;
  /** The URL that the headers and the HTML belong to; `null` if they count for every URL. */
  readonly pageUrl: string | null;
}

export const SOURCE_NAMES = ['headers', 'html', 'tdmrep', 'rsl'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** Characters of each text. Longer texts are cut. */
export const MAX_SOURCE = 500_000;

export const NO_SOURCES: SourceTexts = { headers: '', html: '', tdmrep: '', rsl: '', pageUrl: null };

export function hasSources(texts: SourceTexts): boolean {
  return SOURCE_NAMES.some((name) => texts[name].trim() !== '');
}

/** Characters of all texts that a link contains. Longer ones are omitted: the link would be too long for messages. */
const MAX_SHARED = 20_000;

/** Whether the texts are short enough for a link. */
export function isShareable(texts: SourceTexts): boolean {
  return SOURCE_NAMES.reduce((sum, name) => sum + texts[name].length, 0) <= MAX_SHARED;
}

/** Reads the texts of a link. Parts that are not valid are empty. */
export function readSharedSources(shared: unknown): SourceTexts {
  const values = (shared ?? {}) as Partial<Record<keyof SourceTexts, unknown>>;
  const read = (name: SourceName): string => {
    const value = values[name];
    return typeof value === 'string' ? value : '';
  };
  const { pageUrl } = values;
  return limitSources({
    headers: read('headers'),
    html: read('html'),
    tdmrep: read('tdmrep'),
    rsl: read('rsl'),
    pageUrl: typeof pageUrl === 'string' ? pageUrl : null,
  });
}

/** Cuts the texts that are too long. */
export function limitSources({ headers, html, tdmrep, rsl, pageUrl }: SourceTexts): SourceTexts {
  const limit = (text: string): string => truncate(text, MAX_SOURCE, '');
  return {
    ...{ headers: limit(headers), html: limit(html), tdmrep: limit(tdmrep), rsl: limit(rsl) },
    pageUrl: pageUrl === null ? null : limit(pageUrl),
  };
}

/** What sources declare about the URLs of a site, and about one page. */
export interface SourceInput {
  readonly site: Pick<PreferenceSources, 'tdmrep' | 'rsl'>;
  readonly page: Pick<PreferenceSources, 'headers' | 'metas'>;
  /** The URL that `page` belongs to; `null`: every URL. */
  readonly pageUrl: string | null;
}

/** Reads the texts. @param readMetas - reads the meta elements of HTML. */
export function readSourceTexts(
  { headers, html, tdmrep, rsl, pageUrl }: SourceTexts,
  readMetas: (html: string) => NonNullable<PreferenceSources['metas']>,
): SourceInput {
  return {
    site: {
      ...(tdmrep.trim() !== '' && { tdmrep }),
      ...(rsl.trim() !== '' && { rsl: [{ url: null, text: rsl }] }),
    },
    page: {
      headers: readHeaderLines(headers).headers,
      metas: html.trim() === '' ? [] : readMetas(html),
    },
    pageUrl,
  };
}

/** What the page says about a URL: nothing about others than its own. */
export function selectPage({ page, pageUrl }: SourceInput, url: string): SourceInput['page'] {
  return pageUrl === null || pageUrl === url ? page : {};
}

/** Header lines, and the first line that is not one. */
export interface HeaderLines {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly invalid: string | null;
}

/** Reads `Name: value` lines. A status line before them is skipped, so that the output of `curl -I` can be pasted. */
export function readHeaderLines(text: string): HeaderLines {
  const headers: (readonly [string, string])[] = [];
  let invalid: string | null = null;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.push([name, value.trim()]);
    else if (line.trim() !== '' && !line.startsWith('HTTP/')) invalid ??= line.trim();
  }
  return { headers, invalid };
}

/** Finds what is wrong with a text; `null` if nothing is. */
export function findSourceProblem(name: SourceName, text: string): string | null {
  if (text.trim() === '') return null;
  switch (name) {
    case 'headers':
      return readHeaderLines(text).invalid === null ? null : 'A line is not a header: write “Name: value”.';
    case 'tdmrep':
      return isJsonArray(text) ? null : 'This is not a JSON array, so it declares nothing.';
    case 'rsl':
      return /<(?:[\w-]+:)?rsl[\s>/]/.test(text)
        ? null
        : 'This is not an RSL document: the element <rsl> is missing.';
    default:
      return null;
  }
}

function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return false;
  }
}

/** Formats meta elements as HTML. */
export function formatMetas(metas: NonNullable<PreferenceSources['metas']>): string {
  const quote = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return metas
    .map(({ name, content }) => `<meta name="${quote(name)}" content="${quote(content)}">`)
    .join('\n');
}
