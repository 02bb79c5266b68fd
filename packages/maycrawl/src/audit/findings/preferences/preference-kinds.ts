// Kinds of findings about preferences for the use of content.

/** Kinds about the use of content. */
export const PREFERENCE_KINDS = {
  'preferences-conflict': {
    severity: 'warning',
    rank: 220,
    one: 'Statements about the use of 1 URL contradict each other',
    many: 'Statements about the use of # URLs contradict each other',
    sentence: 'Statements about its use contradict each other',
    cost: 'maycrawl counts the refusal. Crawlers may read only one of the statements, and it may be the permission.',
    action: 'Declare the same in all formats and places.',
    decision:
      'The crawler may fetch the URL, the status is 2xx, and one statement refuses a use that another one allows: two formats, or one format in two places, such as robots.txt and a header. A header of the TDM Reservation Protocol replaces the file, and a meta element the header, so these contradict nothing. The detail names both.',
    example: 'Content-Signal: ai-train=yes in robots.txt, <meta name="robots" content="noai"> on the page',
    source: 'preferences',
  },
  'preference-syntax': {
    severity: 'warning',
    rank: 230,
    one: 'A statement about the AI use of 1 page cannot be parsed',
    many: 'Statements about the AI use of # pages cannot be parsed',
    sentence: 'A statement about AI use cannot be parsed',
    cost: 'Crawlers ignore the statement, as if it were missing.',
    action: 'Correct the header, the meta element or the RSL document as its format requires.',
    decision:
      'The crawler may fetch the page, the status is 2xx, and a Content-Usage or Content-Signal header or meta element cannot be parsed, or has no label or value that its format defines, a tdm-reservation is neither 0 nor 1, an RSL document in the page is not well-formed, or the page has more statements than are read. The detail is the reason and the statement.',
    example: 'Content-Usage: Train-AI=n',
    source: 'usage',
  },
  'preference-never-read': {
    severity: 'info',
    rank: 100,
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
    rank: 110,
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

/** The code of such a kind. */
export type PreferenceCode = keyof typeof PREFERENCE_KINDS;
