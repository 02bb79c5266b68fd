// Pages that say what search engines do.

/** A page, or a section of one. */
export interface Source {
  readonly title: string;
  readonly url: string;
}

const GOOGLE = 'https://developers.google.com/search';

/** The subject of a page. */
export type Subject =
  | 'errors'
  | 'redirects'
  | 'canonical'
  | 'mistakes'
  | 'links'
  | 'sitemap'
  | 'noindex'
  | 'robots'
  | 'language'
  | 'title'
  | 'script'
  | 'images'
  | 'soft'
  | 'budget'
  | 'location'
  | 'preferences'
  | 'usage'
  | 'attachment'
  | 'indexing'
  | 'pagination';

/** The pages by subject. */
export const SOURCES: Readonly<Record<Subject, Source>> = {
  errors: {
    title: 'HTTP status codes, network and DNS errors',
    url: `${GOOGLE}/docs/crawling-indexing/http-network-errors`,
  },
  redirects: { title: 'Redirects and Google Search', url: `${GOOGLE}/docs/crawling-indexing/301-redirects` },
  canonical: {
    title: 'Consolidate duplicate URLs',
    url: `${GOOGLE}/docs/crawling-indexing/consolidate-duplicate-urls`,
  },
  mistakes: {
    title: '5 common mistakes with rel=canonical',
    url: `${GOOGLE}/blog/2013/04/5-common-mistakes-with-relcanonical`,
  },
  links: { title: 'Make your links crawlable', url: `${GOOGLE}/docs/crawling-indexing/links-crawlable` },
  sitemap: {
    title: 'Build and submit a sitemap',
    url: `${GOOGLE}/docs/crawling-indexing/sitemaps/build-sitemap`,
  },
  noindex: {
    title: 'Block Search indexing with noindex',
    url: `${GOOGLE}/docs/crawling-indexing/block-indexing`,
  },
  robots: { title: 'Introduction to robots.txt', url: `${GOOGLE}/docs/crawling-indexing/robots/intro` },
  language: {
    title: 'Localized versions of your pages',
    url: `${GOOGLE}/docs/specialty/international/localized-versions`,
  },
  title: { title: 'Influencing title links in search results', url: `${GOOGLE}/docs/appearance/title-link` },
  script: {
    title: 'JavaScript SEO basics',
    url: `${GOOGLE}/docs/crawling-indexing/javascript/javascript-seo-basics`,
  },
  images: { title: 'Google image SEO best practices', url: `${GOOGLE}/docs/appearance/google-images` },
  soft: {
    title: 'HTTP status codes, network and DNS errors: soft 404 errors',
    url: `${GOOGLE}/docs/crawling-indexing/http-network-errors#soft-404-errors`,
  },
  budget: {
    title: 'Crawl budget management for large sites',
    url: `${GOOGLE}/docs/crawling-indexing/large-site-managing-crawl-budget`,
  },
  location: {
    title: 'RFC 9110, section 10.2.2: Location',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2',
  },
  preferences: {
    title: 'AIPREF vocabulary: combining preferences',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/',
  },
  usage: {
    title: 'RFC 9651: dictionaries of structured fields',
    url: 'https://www.rfc-editor.org/rfc/rfc9651#section-3.2',
  },
  attachment: {
    title: 'Associating AI usage preferences with content in HTTP',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/',
  },
  indexing: {
    title: 'Google Search technical requirements',
    url: `${GOOGLE}/docs/essentials/technical`,
  },
  pagination: {
    title: 'Pagination best practices for Google',
    url: `${GOOGLE}/docs/specialty/ecommerce/pagination-and-incremental-page-loading`,
  },
};
