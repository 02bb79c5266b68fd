/**
 * Findings with the severity `info`: often intended. The most urgent first.
 *
 * @module
 */

/** The kinds by code (`FindingKind` in finding-kinds.ts). */
export const INFOS = {
  'not-listed': {
    severity: 'info',
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
  },
  orphan: {
    severity: 'info',
    one: '1 URL in a sitemap cannot be reached by links',
    many: '# URLs in sitemaps cannot be reached by links',
    sentence: 'Is in a sitemap, but cannot be reached by links.',
    cost: 'The crawler finds them only in the sitemap, and search engines consider such URLs less important.',
    action: 'Link to them from pages that the crawler may fetch.',
    actionForOne: 'Link to it from a page that the crawler may fetch.',
    decision:
      'The run is complete, and the crawler reaches the indexable URL by a sitemap, but not by links from a start.',
    example: 'Only /sitemap.xml names /landing',
    source: 'links',
  },
  'blocked-image': {
    severity: 'info',
    one: '1 page uses images that robots.txt disallows',
    many: '# pages use images that robots.txt disallows',
    sentence: 'Uses images that robots.txt disallows.',
    cost: 'The crawler does not see these images.',
    action: 'Allow the images if search engines should show them.',
    decision:
      'The page is indexable, and a rule of a robots.txt disallows an image that it names to the crawler. The detail quotes the rules.',
    example: '/media/shoe.jpg, Disallow: /media/',
    source: 'images',
  },
  'hreflang-without-default': {
    severity: 'info',
    one: '1 page names versions in several languages, but no x-default',
    many: '# pages name versions in several languages, but no x-default',
    sentence: 'Names versions in several languages, but no x-default.',
    cost: 'Search engines select the version for users of other languages themselves.',
    action:
      'Name the version for all other users, or a page that lets users choose, with hreflang="x-default".',
    decision:
      'The page is indexable and names versions in at least two languages, and none of them has hreflang="x-default".',
    example: 'hreflang="en" and hreflang="de" only',
    source: 'language',
  },
  'redirect-to-other-site': {
    severity: 'info',
    one: '1 redirect leaves the scope of the audit',
    many: '# redirects leave the scope of the audit',
    sentence: 'Redirects to a URL that is out of the scope of the audit.',
    cost: 'None, if it is intended.',
    action: 'Check that the other site is the right one.',
    decision:
      'The URL at the end of the redirects is outside the scope of the audit, and is indexable or was not fetched. The detail is its host.',
    example: '/shop → https://shop.example/',
    source: 'redirects',
  },
  'redirect-to-unknown': {
    severity: 'info',
    one: '1 redirect leads to a URL that was not fetched',
    many: '# redirects lead to URLs that were not fetched',
    sentence: 'Redirects to a URL that was not fetched.',
    cost: 'Whether the target can be indexed is unknown.',
    action: 'Continue the audit, or raise its limits.',
    decision:
      'The run does not contain a response of the URL at the end of the redirects, for example because of --max-pages.',
    example: '/old → /new, which is waiting',
    source: 'redirects',
  },
  'canonical-to-other-site': {
    severity: 'info',
    one: '1 canonical is outside the scope of the audit',
    many: '# canonicals are outside the scope of the audit',
    sentence: 'Its canonical is out of the scope of the audit.',
    cost: 'The other site appears in the index instead of this one.',
    action: 'Check that this is intended, as for content that the other site published first.',
    decision:
      'The canonical URL is outside the scope of the audit, and is indexable or was not fetched. The detail is its host.',
    example: '/article names https://magazine.example/article',
    source: 'canonical',
  },
  'canonical-to-unknown': {
    severity: 'info',
    one: '1 canonical was not fetched',
    many: '# canonicals were not fetched',
    sentence: 'Its canonical was not fetched.',
    cost: 'Whether the canonical URL can be indexed is unknown.',
    action: 'Continue the audit, or raise its limits.',
    decision: 'The run does not contain a response of the canonical URL, for example because of --max-pages.',
    example: '/red-shoes names /shoes, which is waiting',
    source: 'canonical',
  },
  'rendered-title-changed': {
    severity: 'info',
    one: 'Scripts change the title of 1 page',
    many: 'Scripts change the titles of # pages',
    sentence: 'Its scripts change its title.',
    cost: 'Crawlers that do not run scripts see another title.',
    action: 'Send the final title in the HTML.',
    decision:
      'The page has no noindex, and its title differs before and after its scripts. The detail is the new one.',
    example: 'document.title = "Shoes"',
    source: 'title',
  },
  'preference-never-read': {
    severity: 'info',
    one: 'The crawler never reads what 1 page says about its use',
    many: 'The crawler never reads what # pages say about their use',
    sentence: 'The crawler never reads what it says about its use',
    cost: 'The robots.txt disallows the pages. A permission has no effect, and a refusal changes nothing.',
    action: 'Nothing, if the crawler should not fetch them. Otherwise allow the pages in robots.txt.',
    actionForOne: 'Nothing, if the crawler should not fetch it. Otherwise allow it in robots.txt.',
    decision:
      'The robots.txt disallows the URL to this crawler, another crawler of the audit fetched it, and its headers or elements say something about its use to this crawler. The detail is the statement.',
    example: '<meta name="robots" content="noai"> on /private/, and Disallow: /private/',
    source: 'attachment',
  },
  'use-without-crawl': {
    severity: 'info',
    one: 'The use of 1 URL is allowed that the crawler may not fetch',
    many: 'The use of # URLs is allowed that the crawler may not fetch',
    sentence: 'Its use is allowed, but the crawler may not fetch it',
    cost: 'The permission has no effect.',
    action: 'Allow the URLs in robots.txt, or remove the permission for their path.',
    actionForOne: 'Allow it in robots.txt, or remove the permission for its path.',
    decision:
      'The robots.txt disallows the URL to the crawler, and a line of robots.txt or a rule of tdmrep.json with a path that matches the URL allows a use. A permission for the whole site is not reported. The detail is the statement.',
    example: 'Disallow: /shop/ and Content-Usage: /shop/ train-ai=y',
    source: 'attachment',
  },
} as const;
