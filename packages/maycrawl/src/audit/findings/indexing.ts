// Findings about what sitemaps list, and about a noindex that no crawler reads.

/** Kinds about indexing. */
export const INDEXING_KINDS = {
  'listed-not-indexable': {
    severity: 'error',
    rank: 60,
    about: 'indexing',
    one: '1 URL in a sitemap cannot be indexed',
    many: '# URLs in sitemaps cannot be indexed',
    sentence: 'Is in a sitemap, but cannot be indexed',
    cost: 'The sitemap requests indexing, which the site prevents. Search engines trust such a sitemap less.',
    action: 'Remove the URLs from the sitemap, or remove what prevents indexing.',
    actionForOne: 'Remove it from the sitemap, or remove what prevents indexing.',
    decision:
      'A sitemap of the run lists the URL, and it has a reason not to be indexable. The detail is the primary reason.',
    example: '<loc>https://example.com/cart</loc> → noindex',
    source: 'sitemap',
    query: { detail: 'reason', where: 'reason is not null and is_listed' },
  },
  'hidden-noindex': {
    severity: 'warning',
    rank: 15,
    about: 'indexing',
    one: 'The noindex of 1 URL is hidden by robots.txt',
    many: 'The noindex of # URLs is hidden by robots.txt',
    sentence: 'Its noindex is hidden by robots.txt.',
    cost: 'The URLs can be indexed, without their content.',
    action: 'Allow the URLs, so that crawlers can read the noindex.',
    actionForOne: 'Allow it, so that the crawler can read the noindex.',
    decision:
      'The crawler may not fetch the URL, and another crawler of the run has seen a noindex on it that would apply to this one, too.',
    example: 'Disallow: /members/, and /members/ sends X-Robots-Tag: noindex',
    source: 'noindex',
    query: { where: 'hides_noindex' },
  },
  'not-listed': {
    severity: 'info',
    rank: 10,
    about: 'indexing',
    one: '1 indexable page is in no sitemap',
    many: '# indexable pages are in no sitemap',
    sentence: 'Can be indexed, but is in no sitemap.',
    cost: 'Crawlers may find them later.',
    action: 'If they should be found, add them to the sitemap.',
    actionForOne: 'If it should be found, add it to the sitemap.',
    decision:
      'The run is complete, its sitemaps list at least one URL, and none of them lists this indexable HTML page.',
    example: '/sale is in no sitemap',
    source: 'sitemap',
    query: {
      where: 'reason is null and is_html and not is_listed and exists (select 1 from sitemap_entries)',
      needsCompleteRun: true,
    },
  },
} as const;
