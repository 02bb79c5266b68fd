// A site with every kind of finding, and the URLs that each kind must list. The lists are written by hand from the documentation: nothing
// here calls the tested code.
import type { FindingCode } from '../../../src/audit/findings/finding-kinds.ts';
import { type Answer, html, type Site } from '../../support/audit-runs.ts';

export const ORIGIN = 'https://cases.example';
const at = (path: string): string => (path.startsWith('/') ? `${ORIGIN}${path}` : path);

const redirect = (to: string, status = 301): Answer => ({ status, headers: { location: to } });
/** A page with a title of its own, so that it has no finding but those of its head. */
const page = (title: string, head = ''): Answer => ({ body: html(title, [], head) });
const canonical = (href: string, attributes = ''): string =>
  `<link rel="canonical" href="${href}"${attributes === '' ? '' : ` ${attributes}`}>`;
const alternates = (versions: Readonly<Record<string, string>>): string =>
  Object.entries(versions)
    .map(([language, href]) => `<link rel="alternate" hreflang="${language}" href="${href}">`)
    .join('');
const NOINDEX = '<meta name="robots" content="noindex">';

/** What is expected of a URL: the detail of the finding, and its targets. */
export type ExpectedFinding = readonly [path: string, detail: string | null, ...targets: string[]];

/** For each kind the findings for Googlebot, in the order of their URLs. */
export const EXPECTED: Readonly<Partial<Record<FindingCode, readonly ExpectedFinding[]>>> = {
  'server-error': [['/down', '503']],
  'no-response': [['/silent', 'timeout']],
  'redirect-without-target': [['/redirect/nowhere', '301']],
  'broken-link': [
    ['/gone', '410'],
    ['/missing', '404'],
  ],
  'folder-variants': ['away', 'chain-to-error', 'good']
    .concat(['to-blocked', 'to-down', 'to-missing', 'to-noindex', 'to-other-error', 'to-other-page'])
    .concat(['to-other-redirect', 'to-silent', 'to-variant', 'twice'])
    .map((name) => [`/redirect/${name}`, '/redirect/: 13 of 71 requests (18 %)']),
  'listed-not-indexable': [
    ['/blocked/listed', 'blocked'],
    ['/noindex', 'noindex'],
    ['/redirect/good', 'redirect'],
  ],
  'blocked-pages': [
    ['/blocked/listed', 'robots.txt, line 2 (Disallow: /blocked/): 2 of 42 pages'],
    ['/blocked/page', 'robots.txt, line 2 (Disallow: /blocked/): 2 of 42 pages'],
    ['/only-bing', 'robots.txt, line 3 (Disallow: /only-bing): 1 of 42 pages'],
  ],
  'noindex-pages': [
    ['/noindex', 'noindex in a meta element, /: 1 of 42 pages'],
    ['/noindex/header', 'noindex in a header, /noindex/: 2 of 42 pages'],
    ['/noindex/late', 'noindex in a header, /noindex/: 2 of 42 pages'],
    ['/noindex/variant', 'noindex in a meta element, /noindex/: 1 of 42 pages'],
    ['/resources/noindex', 'noindex in a meta element, /resources/: 1 of 42 pages'],
  ],
  'redirect-loop': [
    ['/loop/a', '2 redirects', '/loop/b', '/loop/a'],
    ['/loop/b', '2 redirects', '/loop/a', '/loop/b'],
    ['/loop/into', '3 redirects', '/loop/a', '/loop/b', '/loop/a'],
    ['/loop/self', '1 redirect', '/loop/self'],
  ],
  'redirect-to-error': [
    ['/redirect/chain-to-error', '404', '/redirect/to-missing', '/missing'],
    ['/redirect/to-down', '503', '/down'],
    ['/redirect/to-missing', '404', '/missing'],
    ['/redirect/to-other-error', '404', 'https://other.example/missing'],
    ['/redirect/to-silent', 'timeout', '/silent'],
  ],
  'redirect-to-blocked': [['/redirect/to-blocked', null, '/blocked/page']],
  'redirect-to-noindex': [['/redirect/to-noindex', null, '/noindex']],
  'redirect-to-canonicalised': [['/redirect/to-variant', null, '/canonical/variant']],
  'redirect-to-other-site': [
    ['/redirect/away', 'elsewhere.example', 'https://elsewhere.example/x'],
    ['/redirect/to-other-page', 'other.example', 'https://other.example/page'],
    [
      '/redirect/to-other-redirect',
      'other.example',
      'https://other.example/moved',
      'https://other.example/page',
    ],
  ],
  'redirect-chain': [
    ['/redirect/chain-to-error', '2 redirects', '/redirect/to-missing', '/missing'],
    [
      '/redirect/to-other-redirect',
      '2 redirects',
      'https://other.example/moved',
      'https://other.example/page',
    ],
    ['/redirect/twice', '2 redirects', '/redirect/good', '/good'],
  ],
  'canonical-ignored': [
    ['/canonical/empty', 'empty'],
    ['/canonical/file', 'file: address'],
    ['/canonical/hreflang', 'with hreflang', '/good'],
    ['/canonical/in-body', 'in the body', '/good'],
    ['/canonical/invalid', 'not a URL'],
    ['/canonical/twice', 'file: address'],
  ],
  'canonical-conflict': [['/canonical/conflict', null, '/good', '/canonical/self']],
  'canonical-to-error': [
    ['/canonical/to-down', '503', '/down'],
    ['/canonical/to-missing', '404', '/missing'],
  ],
  'canonical-to-blocked': [['/canonical/to-blocked', null, '/blocked/page']],
  'canonical-to-noindex': [
    ['/canonical/to-noindex', null, '/noindex'],
    ['/canonical/to-other-noindex', null, 'https://other.example/noindex'],
  ],
  'canonical-to-redirect': [
    ['/canonical/to-loop', 'a loop', '/loop/a', '/loop/b', '/loop/a'],
    ['/canonical/to-lost', '404', '/redirect/to-missing', '/missing'],
    ['/canonical/to-redirect', null, '/redirect/good', '/good'],
  ],
  'canonical-chain': [['/canonical/to-variant', null, '/canonical/variant', '/good']],
  'too-many-requests': [['/busy', null]],
  'not-modified': [['/unchanged', null]],
  'canonical-to-other-site': [['/canonical/away', 'elsewhere.example', 'https://elsewhere.example/x']],
  'access-denied': [['/members', '403']],
  'hreflang-unknown-language': [['/language/uk', 'en-UK']],
  'hreflang-not-indexable': [['/language/lost', null, '/blocked/page', '/missing']],
  'hreflang-without-return': [
    ['/language/fr', null, '/language/en'],
    ['/language/uk', null, '/good'],
  ],
  'hreflang-without-default': [
    ['/language/de', null],
    ['/language/en', null],
    ['/language/lost', null],
  ],
  'soft-404': [
    ['/soft/same', 'the content of a page that was not found'],
    ['/soft/title', 'its title is "Page not found"'],
  ],
  'blocked-resource': [
    [
      '/resources/many',
      'line 2: Disallow: /blocked/, https://cdn.example line 2: Disallow: /',
      '/blocked/app.js',
      '/blocked/site.css',
      '/blocked/module.js',
      'https://cdn.example/lib.js',
    ],
    ['/resources/same', 'line 2: Disallow: /blocked/', '/blocked/app.js'],
  ],
  'blocked-image': [
    ['/resources/many', 'line 2: Disallow: /blocked/', '/blocked/a.png', '/blocked/b.png', '/blocked/c.png'],
  ],
  'duplicate-title': [
    ['/title/one', 'Shared title'],
    ['/title/two', 'Shared title'],
  ],
  'missing-title': [['/title/none', null]],
  'not-reachable': [['/behind-bing', null]],
  orphan: [
    ['/behind-bing/listed', null],
    ['/orphan', null],
  ],
};

const MISSING = html('Nothing here, sorry');

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/good': page('Good'),
  '/noindex': page('Noindex', NOINDEX),
  '/noindex/variant': page('Both', NOINDEX + canonical('/good')),
  '/noindex/header': { ...page('Header'), headers: { 'x-robots-tag': 'googlebot: noindex' } },
  '/noindex/late': {
    ...page('Late'),
    headers: { 'x-robots-tag': 'unavailable_after: 1 Jan 2020 00:00:00 GMT' },
  },
  '/no-content': { status: 204 },
  '/missing': { status: 404, body: MISSING },
  '/gone': { status: 410 },
  '/down': { status: 503 },
  '/busy': { status: 429 },
  '/unchanged': { status: 304 },
  '/silent': { failure: 'timeout' },
  '/members': { status: 403 },
  '/orphan': page('Orphan'),
  '/redirect/good': redirect('/good'),
  '/redirect/nowhere': { status: 301 },
  '/redirect/twice': redirect('/redirect/good', 302),
  '/redirect/to-missing': redirect('/missing'),
  '/redirect/to-down': redirect('/down'),
  '/redirect/to-silent': redirect('/silent'),
  '/redirect/chain-to-error': redirect('/redirect/to-missing'),
  '/redirect/to-blocked': redirect('/blocked/page'),
  '/redirect/to-noindex': redirect('/noindex'),
  '/redirect/to-variant': redirect('/canonical/variant'),
  '/redirect/away': redirect('https://elsewhere.example/x'),
  // Targets on other sites are fetched once.
  '/redirect/to-other-page': redirect('https://other.example/page'),
  '/redirect/to-other-error': redirect('https://other.example/missing'),
  '/redirect/to-other-redirect': redirect('https://other.example/moved'),
  '/loop/a': redirect('/loop/b'),
  '/loop/b': redirect('/loop/a'),
  '/loop/into': redirect('/loop/a'),
  '/loop/self': redirect('/loop/self'),
  '/canonical/twice': page('Also twice', canonical('/canonical/twice') + canonical('file:///x')),
  '/canonical/self': page('Self', canonical('/canonical/self')),
  '/canonical/variant': page('Variant', canonical('/good')),
  '/canonical/file': page('File', canonical('file:///C:/site/index.html')),
  '/canonical/invalid': page('Invalid', canonical('http://[::1')),
  '/canonical/empty': page('Empty', canonical('')),
  '/canonical/hreflang': page('Language', canonical('/good', 'hreflang="de"')),
  '/canonical/hreflang-twice': page('Twice', canonical('/good', 'hreflang="de"') + canonical('/good')),
  '/canonical/in-body': page('Body', `<div></div>${canonical('/good')}`),
  '/canonical/conflict': page('Conflict', canonical('/good') + canonical('/canonical/self')),
  '/canonical/to-missing': page('To missing', canonical('/missing')),
  '/canonical/to-down': page('To down', canonical('/down')),
  '/canonical/to-blocked': page('To blocked', canonical('/blocked/page')),
  '/canonical/to-noindex': page('To noindex', canonical('/noindex')),
  '/canonical/to-redirect': page('To redirect', canonical('/redirect/good')),
  '/canonical/to-lost': page('To lost', canonical('/redirect/to-missing')),
  '/canonical/to-loop': page('To loop', canonical('/loop/a')),
  '/canonical/to-variant': page('To variant', canonical('/canonical/variant')),
  '/canonical/to-other-noindex': page('To other noindex', canonical('https://other.example/noindex')),
  // Only this canonical names the URL.
  '/canonical/to-unlinked': page('To unlinked', canonical('/unlinked')),
  '/unlinked': page('Unlinked'),
  '/canonical/away': page('Away', canonical('https://elsewhere.example/x')),
  '/language/en': page('English', alternates({ en: '/language/en', de: '/language/de' })),
  '/language/de': page('Deutsch', alternates({ en: '/language/en', de: '/language/de' })),
  '/language/fr': page('Français', alternates({ en: '/language/en', 'x-default': '/language/en' })),
  '/language/uk': page('UK', alternates({ 'en-UK': '/good' })),
  '/language/lost': page('Lost', alternates({ de: '/missing', fr: '/blocked/page' })),
  '/soft/same': { body: MISSING },
  '/soft/title': page('Page not found'),
  '/title/one': page('Shared title', '<!-- 1 -->'),
  '/title/two': page('Shared title', '<!-- 2 -->'),
  '/title/none': { body: '<!doctype html><p>Text without a title.' },
  '/resources/many': page(
    'Resources',
    `<script src="/blocked/app.js"></script><link rel="stylesheet" href="/blocked/site.css">
     <link rel="alternate stylesheet" href="/blocked/other.css"><link rel="modulepreload" href="/blocked/module.js">
     <script src="/app.js"></script><script src="https://cdn.example/lib.js"></script>
     <script src="https://unknown.example/lib.js"></script><noscript><img src="/blocked/no.png"></noscript><body><img src="/blocked/a.png" srcset="/blocked/b.png 2x,
     /b.png 3x"><picture><source srcset="/blocked/c.png"><img src="data:image/png;base64,AA"></picture>`,
  ),
  '/resources/same': page('Same resource', '<script src="/blocked/app.js"></script>'),
  '/resources/noindex': page('Resource', `${NOINDEX}<script src="/blocked/app.js"></script>`),
  '/resources/allowed': page('Allowed resources', '<script src="/app.js"></script><img src="/logo.png">'),
  // The crawlers of the run may fetch different parts.
  '/only-bing': { body: html('For Bing', ['/behind-bing', '/behind-bing/listed']) },
  '/behind-bing': page('Behind Bing'),
  '/behind-bing/listed': page('Behind Bing, listed'),
};

/** The responses of another site. */
const OTHER_ANSWERS: Readonly<Record<string, Answer>> = {
  'https://other.example/page': page('Another page'),
  'https://other.example/missing': { status: 404 },
  'https://other.example/noindex': page('Another noindex', NOINDEX),
  'https://other.example/moved': redirect('https://other.example/page'),
};

const UNLINKED = ['/orphan', '/unlinked', '/behind-bing', '/behind-bing/listed'];
const START = '/';
const LISTED = [
  START,
  '/good',
  '/noindex',
  '/redirect/good',
  '/blocked/listed',
  '/orphan',
  '/behind-bing/listed',
];

/** The site. Its start links to every URL but the orphan. */
export const CASES_SITE: Site = {
  start: at(START),
  agents: ['Googlebot', 'GPTBot', 'bingbot'],
  robots: `User-agent: *
Disallow: /blocked/
Disallow: /only-bing

User-agent: GPTBot
Disallow: /

User-agent: bingbot
Disallow: /blocked/
`,
  otherRobots: { 'https://cdn.example': 'User-agent: *\nDisallow: /\n\nUser-agent: bingbot\nDisallow:\n' },
  sitemaps: { [at('/sitemap.xml')]: LISTED.map(at) },
  answers: {
    [at(START)]: {
      body: `${html('Start', [
        ...Object.keys(ANSWERS).filter((path) => !UNLINKED.includes(path)),
        '/blocked/page',
        '/blocked/listed',
      ])}<a href="/good"><img src="/logo.png" alt="Our\n logo"></a>`,
    },
    ...OTHER_ANSWERS,
    ...Object.fromEntries(Object.entries(ANSWERS).map(([path, answer]) => [at(path), answer])),
  },
};
