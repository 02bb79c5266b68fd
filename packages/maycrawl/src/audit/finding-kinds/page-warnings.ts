/**
 * Further findings with the severity `warning`: what scripts, titles, contents and statements about the use of single pages weaken. The most urgent first.
 *
 * @module
 */

/** The kinds by code (`FindingKind` in finding-kinds.ts). */
export const PAGE_WARNINGS = {
  'rendered-canonical-changed': {
    severity: 'warning',
    one: 'Scripts change the canonical of 1 page',
    many: 'Scripts change the canonicals of # pages',
    sentence: 'Its scripts change its canonical.',
    cost: 'Crawlers that do not run scripts see another canonical or none. Search engines may use either, and ignore several different ones.',
    action:
      'Send the final canonical in the HTML, and let no script change it. Google also accepts a canonical that only a script adds.',
    decision:
      'The URLs of the canonicals that count differ before and after the scripts of the page. The page has no noindex in its HTML or headers. The detail: added, removed, replaced, or several different ones.',
    example: '<link rel="canonical" href="/app"> becomes href="/app/shoes"',
    source: 'script',
  },
  'rendered-links-only': {
    severity: 'warning',
    one: '1 page has links that only its scripts add',
    many: '# pages have links that only their scripts add',
    sentence: 'Has links that only its scripts add.',
    cost: 'Crawlers that do not run scripts do not find these links, and others find them later.',
    action: 'Send the links in the HTML, as anchors with href.',
    decision: 'The rendered page has anchors that lead to URLs to which the HTML does not link.',
    example: '<div id="app"></div>, which a script fills with links',
    source: 'links',
  },
  'rendered-redirect': {
    severity: 'warning',
    one: 'Scripts of 1 page lead to another URL',
    many: 'Scripts of # pages lead to other URLs',
    sentence: 'Its scripts lead to another URL.',
    cost: 'Crawlers that do not run scripts read a page that visitors do not see.',
    action: 'Redirect with a status, such as 301.',
    decision: 'A script of the page leads the browser to another URL.',
    example: 'location.replace("/new")',
    source: 'redirects',
  },
  'rendered-resource-blocked': {
    severity: 'warning',
    one: '1 page was rendered without files that robots.txt disallows',
    many: '# pages were rendered without files that robots.txt disallows',
    sentence: 'Was rendered without files that robots.txt disallows.',
    cost: 'A crawler that renders the page does not get these files either, so it may miss content and links.',
    action:
      'Allow the scripts, styles and data that the page needs. Files of other sites that only count visitors are not needed.',
    decision:
      'The page was rendered as this crawler does, and requested files that robots.txt disallows to it and that its HTML does not name, or that redirect to disallowed URLs. The detail has the rules.',
    example: 'fetch("/api/products"), Disallow: /api/',
    source: 'script',
  },
  'not-rendered': {
    severity: 'warning',
    one: '1 page could not be rendered',
    many: '# pages could not be rendered',
    sentence: 'Could not be rendered.',
    cost: 'What its scripts change is unknown, and crawlers that run scripts may fail, too.',
    action:
      'See the detail: shorten scripts that do not end or take too much memory; if the page did not load, check the server.',
    decision:
      'The page did not respond with status 200 when it was requested again, or Chromium could not render it within the limits of time and memory. The detail is the reason.',
    example: 'for (;;) {}',
    source: 'script',
  },
  'duplicate-content': {
    severity: 'warning',
    one: '1 page has the same bytes as another one',
    many: '# pages have the same bytes as others',
    sentence: 'Has the same bytes as other pages:',
    cost: 'Search engines select one of them, and crawl the others for nothing.',
    action: 'Name one of them as the canonical of all, or redirect.',
    actionForOne: 'Name one of them as the canonical of all, or redirect.',
    decision: 'At least two indexable HTML pages have the same bytes. The detail is their digest.',
    example: '/page and /page?ref=1',
    source: 'canonical',
  },
  'duplicate-title': {
    severity: 'warning',
    one: '1 page shares its title with another one',
    many: '# pages share their titles with others',
    sentence: 'Shares its title with other pages:',
    cost: 'In search results they look the same.',
    action: 'Give each page a title of its own.',
    actionForOne: 'Give it a title of its own.',
    decision: 'At least two indexable HTML pages have the same title. The detail is the title.',
    example: '<title>Index</title> on 30 pages',
    source: 'title',
  },
  'missing-title': {
    severity: 'warning',
    one: '1 page has no title',
    many: '# pages have no title',
    sentence: 'Has no title.',
    cost: 'Search engines create a title themselves.',
    action: 'Add a title element to the head.',
    decision: 'The page is indexable HTML without a title element, or its title is empty.',
    example: '<head></head>',
    source: 'title',
  },
  'preferences-conflict': {
    severity: 'warning',
    one: 'Statements about the use of 1 URL contradict each other',
    many: 'Statements about the use of # URLs contradict each other',
    sentence: 'Statements about its use contradict each other',
    cost: 'maycrawl counts the refusal. Crawlers may read only one of the statements, and it may be the permission.',
    action: 'Let all formats and places say the same.',
    decision:
      'The crawler may fetch the URL, the status is 2xx, and one statement refuses a use that another one allows: two formats, or one format in two places, such as robots.txt and a header. A header of the TDM Reservation Protocol replaces the file, and a meta element the header, so these contradict nothing. The detail names both.',
    example: 'Content-Signal: ai-train=yes in robots.txt, <meta name="robots" content="noai"> on the page',
    source: 'preferences',
  },
  'preference-syntax': {
    severity: 'warning',
    one: '1 page has a statement about its use that says nothing',
    many: '# pages have a statement about their use that says nothing',
    sentence: 'Has a statement about its use that says nothing',
    cost: 'Crawlers ignore the statement, as if it were missing.',
    action: 'Correct the header, the meta element or the RSL document as its format requires.',
    decision:
      'The crawler may fetch the page, the status is 2xx, and a Content-Usage or Content-Signal header or meta element cannot be parsed, or has no label or value that its format defines, a tdm-reservation is neither 0 nor 1, an RSL document in the page is not well-formed, or the page has more statements than are read. The detail is the reason and the statement.',
    example: 'Content-Usage: Train-AI=n',
    source: 'usage',
  },
  'mixed-preferences': {
    severity: 'warning',
    one: '1 page lacks the refusal that the other pages of its folder have',
    many: '# pages lack the refusal that the other pages of their folder have',
    sentence: 'Lacks the refusal that the other pages of its folder have',
    cost: 'For these pages nothing is declared, so crawlers may use them.',
    action: 'Add the same header or meta element, or state in robots.txt what applies to the whole folder.',
    decision:
      'The folder is one of the twenty largest and has at least ten HTML pages with status 2xx that the crawler may fetch. At least 90 % of them refuse a use by a header or an element of their own, and nothing is declared for this page. A page that allows the use is not reported.',
    example: '897 of 900 pages in /blog/ have noai, and /blog/new has not',
    source: 'preferences',
  },
} as const;
