// A response and its body, read as crawlers read them: what the page says about itself.

import { decodeLocation } from '@maycrawl/client/internal';
import {
  createPageFacts,
  getHeaderValues,
  isHtmlMediaType,
  type PageFacts,
  type PageResponse,
  parseMediaType,
} from '@maycrawl/core/indexability';
import { type PageSources, selectPageSources } from '@maycrawl/core/preferences';
import { decodeHtml } from './charset.ts';
import { readHtml } from './html-reader.ts';

/** How much of a page is read. What is beyond is reported by `isTruncated`. */
export interface PageLimits {
  /** Bytes of the body. */
  readonly bytes: number;
  /** Links, and statements for crawlers, of one document. */
  readonly items: number;
}

export const PAGE_LIMITS: PageLimits = { bytes: 5_000_000, items: 100_000 };

/** What a page says about itself. */
export interface ReadPage extends PageFacts {
  /** What it says about the use of its content; `null` if it says nothing, as most pages. */
  readonly preferences: PageSources | null;
}

/**
 * Reads what a page says about itself.
 *
 * @param body - as it came, decompressed. More than the limit is not looked at.
 * @throws {RangeError} if the URL of the response is no http or https URL.
 */
export function readPage(
  { headers, ...rest }: PageResponse,
  body: Uint8Array,
  limits: PageLimits = PAGE_LIMITS,
): ReadPage {
  const response = { ...rest, headers: headers.map(decodeHeader) };
  const contentType = getHeaderValues(response, 'content-type').at(-1);
  const isHtml = isHtmlMediaType(parseMediaType(contentType));
  const html = isHtml
    ? readHtml(decodeHtml(body.subarray(0, limits.bytes), contentType), limits.items)
    : null;
  const isCut = html !== null && body.length > limits.bytes;
  return {
    ...createPageFacts(response, isCut ? { ...html, isTruncated: true } : html),
    preferences: selectPageSources(response, html),
  };
}

/** Servers send raw UTF-8 in the Location header. */
function decodeHeader(header: PageResponse['headers'][number]): PageResponse['headers'][number] {
  const [name, value] = header;
  return name.toLowerCase() === 'location' ? [name, decodeLocation(value) ?? value] : header;
}
