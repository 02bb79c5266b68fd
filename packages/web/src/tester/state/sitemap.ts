/**
 * The pages that a sitemap or a feed names.
 *
 * @module
 */
import { SitemapParser, XmlError } from '@maycrawl/client/sitemap-parser';

/** The pages of a sitemap, or why there are none. */
export type Sitemap =
  | {
      readonly kind: 'urls';
      readonly urls: readonly string[];
      /** Whether the text ends inside an element: further URLs are missing. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'none'; readonly message: string };

/** Reads a sitemap or a feed in XML, at most `limit` URLs of it. */
export function readSitemap(xml: string, limit: number): Sitemap {
  const urls: string[] = [];
  const parser = new SitemapParser(({ kind, text }) => {
    if (kind === 'page' && urls.length < limit) urls.push(text);
  });
  let isCut = false;
  try {
    parser.write(xml);
    isCut = !parser.end();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { kind: 'none', message: `This XML cannot be read: ${error.message}.` };
  }
  if (!parser.isSitemap) return { kind: 'none', message: 'This is XML, but no sitemap.' };
  return parser.root === 'sitemapindex'
    ? { kind: 'none', message: 'This is an index of sitemaps: give one of those that it names.' }
    : { kind: 'urls', urls, isCut };
}
