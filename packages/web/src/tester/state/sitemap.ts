// The pages that a sitemap or a feed lists.
import { SitemapParser, XmlError } from '@maycrawl/core/internal';

/** The pages of a sitemap, or why there are none. */
export type Sitemap =
  | {
      readonly kind: 'urls';
      readonly urls: readonly string[];
      /** Whether the text ends inside an element: further URLs are missing. */
      readonly isTruncated: boolean;
    }
  | { readonly kind: 'none'; readonly message: string };

/** Reads the first `limit` URLs of a sitemap or a feed in XML. */
export function readSitemap(xml: string, limit: number): Sitemap {
  const urls: string[] = [];
  const parser = new SitemapParser(({ kind, text }) => {
    if (kind === 'page' && urls.length < limit) urls.push(text);
  });
  let isTruncated = false;
  try {
    parser.write(xml);
    isTruncated = !parser.end();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { kind: 'none', message: `This XML is not valid: ${error.message}.` };
  }
  if (!parser.isSitemap) return { kind: 'none', message: 'This is XML, but not a sitemap.' };
  return parser.root === 'sitemapindex'
    ? { kind: 'none', message: 'This is a sitemap index: use one of the sitemaps that it lists.' }
    : { kind: 'urls', urls, isTruncated };
}
