// A site that declares in several formats how its content may be used.
import { type Answer, html, type Site } from '../../support/audit-runs.ts';

export const ORIGIN = 'https://site.example';
export const [GOOGLEBOT, GPTBOT, BINGBOT] = [0, 1, 2];

const NOAI = '<meta name="robots" content="index, noai">';
const BLOG = Array.from({ length: 20 }, (_, index) => `/blog/${index}`);
const MIXED = Array.from({ length: 20 }, (_, index) => `/mixed/${index}`);

const rsl = (element: string): string =>
  `<script type="application/rsl+xml"><rsl><content url=""><license>${element}</license></content></rsl></script>`;

const PAGES: Readonly<Record<string, Omit<Answer, 'body'> & { readonly head?: string }>> = {
  '/plain': {},
  '/header-allows': { headers: { 'Content-Signal': 'ai-train=yes' } },
  '/contradicts': { head: NOAI, headers: { 'content-usage': 'train-ai=y' } },
  '/signal': { headers: { 'content-signal': 'search=no' } },
  '/broken': { headers: { 'content-usage': 'Train-AI=n' } },
  '/unknown-value': { head: '<meta name="tdm-reservation" content="maybe">' },
  '/noarchive': { head: '<meta name="robots" content="noarchive">' },
  '/for-gptbot': { headers: { 'x-robots-tag': 'GPTBot: noai' } },
  '/rsl': { head: rsl('<prohibits type="usage">ai-all</prohibits>') },
  '/license': { head: '<link rel="license" type="application/rsl+xml" href="/license.xml">' },
  '/tdm/reserved': {},
  '/tdm/open': { head: '<meta name="tdm-reservation" content="0">' },
  '/private/refused': { head: NOAI },
  '/private/plain': {},
  '/shop/1': {},
  '/token/1': {},
  '/old': { status: 301, headers: { location: '/plain', 'content-usage': 'train-ai=n' } },
  '/error': { status: 500, head: NOAI },
  '/file.pdf': { headers: { 'content-type': 'application/pdf', 'x-robots-tag': 'noai' } },
};

const answers: Record<string, Answer> = {};
for (const [path, { head = '', ...answer }] of Object.entries(PAGES))
  answers[ORIGIN + path] = { ...answer, body: html(path, ['/'], head) };
for (const [index, path] of BLOG.entries())
  answers[ORIGIN + path] = { body: html(path, ['/'], index === 7 ? '' : NOAI) };
// A page that allows the use, and two that say nothing.
for (const [index, path] of MIXED.entries())
  answers[ORIGIN + path] = {
    body: html(path, ['/']),
    headers: index < 2 ? {} : { 'content-usage': index === 2 ? 'train-ai=y' : 'train-ai=n' },
  };
answers[`${ORIGIN}/`] = { body: html('Home', [...Object.keys(PAGES), ...BLOG, ...MIXED]) };

/** The site. Its home page links to all of its pages. */
export const SITE: Site = {
  start: `${ORIGIN}/`,
  agents: ['Googlebot', 'GPTBot', 'bingbot'],
  answers,
  robots: `User-agent: *
Content-Signal: search=yes
Allow: /

User-agent: GPTBot
Disallow: /private/
Disallow: /shop/
Content-Usage: /shop/ train-ai=y
Content-Signal: ai-input=yes

User-agent: Google-Extended
Disallow: /token/
`,
  tdmrep: '[{"location":"/tdm/","tdm-reservation":1}]',
};

/** The same pages without declarations. */
export const SILENT_SITE: Site = {
  start: `${ORIGIN}/`,
  agents: ['Googlebot', 'GPTBot'],
  answers: {
    [`${ORIGIN}/`]: { body: html('Home', ['/a', '/b'], '<meta name="robots" content="noindex, nofollow">') },
    [`${ORIGIN}/a`]: { body: html('A'), headers: { 'x-robots-tag': 'noindex', link: '<l>; rel=next' } },
    [`${ORIGIN}/b`]: { body: html('B') },
  },
  robots: 'User-agent: *\nDisallow: /cart\n\nUser-agent: bingbot\nDisallow: /b\n',
};
