// Kinds of findings about parts of a site that crawlers do not read or index: what is lost at most.

/** Kinds about parts of a site. */
export const SITE_KINDS = {
  'home-not-indexable': {
    severity: 'error',
    rank: 1,
    about: 'indexing',
    concerns: 'site',
    one: 'The home page cannot be indexed',
    many: '# home pages cannot be indexed',
    sentence: 'Is the home page, and cannot be indexed',
    cost: 'Search engines do not show the page that most visitors look for, and a crawler that begins there may find nothing else.',
    action: 'Remove what the detail names.',
    decision:
      'The root of an audited host, or the start of an audit of a folder, is blocked, has noindex, or responds with an error. A redirect and a canonical to another page are no such finding.',
    example: 'Disallow: / for the whole site',
    source: 'indexing',
  },
  'site-not-indexable': {
    severity: 'error',
    rank: 2,
    about: 'indexing',
    concerns: 'site',
    one: 'Most of the site cannot be indexed',
    many: 'Most of # sites cannot be indexed',
    sentence: 'Belongs to a site of which most cannot be indexed',
    cost: 'Search engines show at most the smaller part of the site.',
    action: 'See the findings about blocked pages, noindex and errors, which name the cause of each part.',
    decision:
      'At least half of the pages have no chance to be indexed: they are blocked, have noindex, or respond with an error. Redirects, pages with another canonical, missing pages, and what a site plainly does not want in an index do not count.',
    example: '30 of 31 pages have noindex',
    source: 'indexing',
  },
  'failing-folder': {
    severity: 'error',
    rank: 3,
    one: '1 folder leads only to errors',
    many: '# folders lead only to errors',
    sentence: 'Belongs to a folder that leads only to errors',
    cost: 'Visitors and crawlers find nothing there, and a whole part of the site leaves the index.',
    action: 'Restore the folder, or redirect its URLs to their replacements.',
    decision:
      'At least 90 % of at least five URLs of a segment, such as a large folder, were not found, respond with an error or not at all. The finding is at the first URL of the segment.',
    example: '/ja/: 100 % not found',
    source: 'errors',
  },
  'blocked-pages': {
    severity: 'warning',
    rank: 5,
    one: '1 page is blocked by robots.txt',
    many: '# pages are blocked by robots.txt',
    sentence: 'Is blocked by robots.txt',
    cost: 'The crawler cannot read them. Search engines show them without their content, or not at all.',
    action:
      'Change the line that the detail names, if the pages should be found. A part that is blocked on purpose needs nothing.',
    actionForOne: 'Change the line that the detail names, if the page should be found.',
    decision:
      'The robots.txt disallows the URL to the crawler. The detail names the line that decides, and the part of the site. Half of the pages of a site are an error; 5 % of them (at least three), or 25, to which pages link are a warning; fewer, and what a site plainly does not want in an index (searches, carts, accounts, parameters), are information.',
    countsUrls: true,
    example: 'robots.txt, line 14 (Disallow: /s): 30 of 31 pages',
    source: 'robots',
    forOthers: {
      severity: 'info',
      cost: 'The crawler does not read them. No search engine loses them by that.',
      action: 'Nothing, if you want it so. Otherwise, change the line that the detail names.',
    },
  },
  'noindex-pages': {
    severity: 'warning',
    rank: 6,
    about: 'indexing',
    one: '1 page has noindex',
    many: '# pages have noindex',
    sentence: 'Has noindex',
    cost: 'Search engines do not show them.',
    action: 'Remove the noindex where the detail says, if the pages should be found.',
    actionForOne: 'Remove the noindex where the detail says, if the page should be found.',
    decision:
      'A noindex that applies to the crawler is the primary reason why the URL is not indexable. The detail says where it is, in which folder, and for which part of the site. The severity is that of a part as large as for blocked pages.',
    countsUrls: true,
    example: 'noindex in a header, /shop/: 30 of 31 pages',
    source: 'noindex',
  },
} as const;

/** The code of such a kind. */
export type SiteCode = keyof typeof SITE_KINDS;
