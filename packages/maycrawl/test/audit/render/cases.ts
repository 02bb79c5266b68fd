/**
 * Pages that their scripts change, and what must be stored about each of them.
 *
 * @module
 */
import type { RenderCase, SiteFile } from './site.ts';

const page = (head: string, script: string): string =>
  `<!doctype html><html><head>${head}</head><body><p>Text</p><a href="/kept">kept</a><script>${script}</script></body></html>`;
const addMeta = (content: string): string =>
  `const meta = document.createElement('meta'); meta.name = 'robots'; meta.content = '${content}'; document.head.append(meta);`;
const addCanonical = (href: string): string =>
  `const link = document.createElement('link'); link.rel = 'canonical'; link.href = '${href}'; document.head.append(link);`;
const addLink = (href: string): string =>
  `document.body.insertAdjacentHTML('beforeend', '<a href="${href}">new</a>');`;
const addFrame = (src: string): string =>
  `document.body.insertAdjacentHTML('beforeend', '<iframe src="${src}"></iframe>');`;

const NO_LINKS = { count: 0, urls: [] };

export const CASES: readonly RenderCase[] = [
  {
    path: '/plain',
    html: page('<title>Plain</title>', ''),
    expected: { before: { title: 'Plain' }, after: { title: 'Plain' }, added: NO_LINKS, removed: NO_LINKS },
    findings: [],
  },
  {
    path: '/noindex-added',
    html: page('<title>Noindex added</title>', addMeta('noindex')),
    expected: { before: { robots: [] }, after: { robots: [{ agent: null, text: 'noindex' }] } },
    findings: ['rendered-noindex-added'],
  },
  {
    path: '/noindex-for-another',
    html: page('<title>Noindex for another</title>', addMeta('noindex').replace("'robots'", "'otherbot'")),
    expected: { before: { robots: [] }, after: { robots: [{ agent: 'otherbot', text: 'noindex' }] } },
    findings: [],
  },
  {
    path: '/noindex-removed',
    html: page(
      '<title>Noindex removed</title><meta name="robots" content="noindex">',
      "document.querySelector('meta').remove()",
    ),
    expected: { before: { robots: [{ text: 'noindex' }] }, after: { robots: [] } },
    findings: ['rendered-noindex-removed'],
  },
  {
    path: '/canonical-changed',
    html: page(
      '<title>Canonical changed</title><link rel="canonical" href="/canonical-changed">',
      "document.querySelector('link').href = '/plain'",
    ),
    expected: {
      before: { canonicals: [{ url: 'ORIGIN/canonical-changed' }] },
      after: { canonicals: [{ url: 'ORIGIN/plain' }] },
    },
    findings: ['rendered-canonical-changed'],
  },
  {
    path: '/canonical-added',
    html: page('<title>Canonical added</title>', addCanonical('/plain')),
    expected: { before: { canonicals: [] }, after: { canonicals: [{ url: 'ORIGIN/plain' }] } },
    findings: ['rendered-canonical-changed'],
  },
  {
    path: '/canonical-in-other-words',
    html: page(
      '<title>Canonical in other words</title><link rel="canonical" href="/plain">',
      "document.querySelector('link').href = 'ORIGIN/plain#top'",
    ),
    expected: { after: { canonicals: [{ url: 'ORIGIN/plain' }] } },
    findings: [],
  },
  {
    path: '/title-changed',
    html: page('<title>Loading</title>', "document.title = 'Loaded'"),
    expected: { before: { title: 'Loading' }, after: { title: 'Loaded' } },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/links-only',
    html: page('<title>Links only</title>', `${addLink('/found/by-script')}${addLink('/kept')}`),
    expected: { added: { count: 1, urls: ['ORIGIN/found/by-script'] }, removed: NO_LINKS },
    findings: ['rendered-links-only'],
  },
  {
    path: '/links-removed',
    html: page('<title>Links removed</title>', "document.querySelector('a').remove()"),
    expected: { added: NO_LINKS, removed: { count: 1, urls: ['ORIGIN/kept'] } },
    findings: [],
  },
  {
    path: '/after-seconds',
    html: page('<title>After seconds</title>', `setTimeout(() => { ${addLink('/found/late')} }, 4000)`),
    expected: { added: { count: 1, urls: ['ORIGIN/found/late'] }, isStopped: false },
    findings: ['rendered-links-only'],
  },
  {
    path: '/from-data',
    html: page(
      '<title>From data</title>',
      "fetch('/data.json').then((r) => r.json()).then(({ title }) => { document.title = title; })",
    ),
    expected: { after: { title: 'Title from data' }, refused: [], requests: 1 },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/from-module',
    html: '<!doctype html><title>From module</title><script type="module" src="/module.js"></script>',
    expected: { after: { title: 'Title from module' }, requests: 2 },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/from-moved-script',
    html: '<!doctype html><title>From moved script</title><script src="/moved.js"></script>',
    expected: { after: { title: 'Title from moved script' } },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/needs-blocked-script',
    html: '<!doctype html><title>Needs blocked script</title><script src="/blocked/app.js"></script>',
    expected: {
      after: { title: 'Needs blocked script' },
      refused: [{ url: 'ORIGIN/blocked/app.js', why: 'robots' }],
    },
    // It is a `blocked-resource`.
    findings: [],
  },
  {
    path: '/needs-script-moved-to-blocked',
    html: '<!doctype html><title>Needs script moved to blocked</title><script src="/moved-to-blocked.js"></script>',
    // The URL that is disallowed.
    expected: { refused: [{ url: 'ORIGIN/blocked/app.js', why: 'robots' }] },
    findings: ['rendered-resource-blocked'],
  },
  {
    path: '/in-shadow',
    html: page(
      '<title>In shadow</title>',
      `const host = document.createElement('div'); document.body.append(host);
       host.attachShadow({ mode: 'open' }).innerHTML = '<div><a href="/found/in-shadow">x</a></div>';`,
    ),
    expected: { added: { count: 1, urls: ['ORIGIN/found/in-shadow'] } },
    findings: ['rendered-links-only'],
  },
  {
    path: '/when-visible',
    html: `<!doctype html><title>When visible</title><body><div style="height: 5000px"></div><p id="end"></p><script>
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting) document.title = 'Visible'; })
        .observe(document.getElementById('end'));</script>`,
    expected: { after: { title: 'Visible' } },
    findings: ['rendered-title-changed'],
  },
  {
    // All virtual time is over before the next frame.
    path: '/visible-late',
    html: page(
      '<title>Visible late</title>',
      `setTimeout(() => new IntersectionObserver(() => { ${addLink('/found/late')} }).observe(document.body), 4990);`,
    ),
    expected: { added: { count: 1, urls: ['ORIGIN/found/late'] } },
    findings: ['rendered-links-only'],
  },
  {
    path: '/leads-away',
    html: page('<title>Leads away</title>', "location.href = '/found/by-location'"),
    expected: { redirect: 'ORIGIN/found/by-location' },
    findings: ['rendered-redirect'],
  },
  {
    path: '/reloads',
    html: page('<title>Reloads</title>', 'location.reload()'),
    expected: { redirect: null },
    findings: [],
  },
  {
    path: '/hides-its-document',
    html: page(
      '<title>Hides its document</title>',
      `document.body.innerHTML = '<img name="getElementsByTagName"><img name="documentElement"><a href="/kept">kept</a>';
       Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<title>Another</title>' });`,
    ),
    expected: { after: { title: 'Hides its document' } },
    findings: [],
  },
  {
    path: '/image-without-request',
    html: page(
      '<title>Image</title>',
      "const i = new Image(); i.onload = () => { document.title = 'Seen'; }; i.src = '/image.png';",
    ),
    expected: { after: { title: 'Seen' }, requests: 0 },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/posts',
    html: page(
      '<title>Posts</title>',
      "fetch('/data.json', { method: 'POST' }).catch(() => { document.title = 'Refused'; })",
    ),
    expected: { after: { title: 'Refused' }, refused: [{ url: 'ORIGIN/data.json', why: 'method' }] },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/refreshes',
    html: '<!doctype html><title>Refreshes</title><meta http-equiv="refresh" content="1; url=/kept">',
    // Not a script.
    expected: { redirect: null },
    findings: [],
  },
  {
    path: '/adds-frame',
    html: page('<title>Adds frame</title>', addFrame('/found/in-frame')),
    expected: { added: NO_LINKS },
    findings: [],
  },
  {
    path: '/another-url/',
    html: page(
      '<title>Another URL</title>',
      `history.pushState({}, '', '/found/'); ${addLink('by-history')}`,
    ),
    expected: { added: { count: 1, urls: ['ORIGIN/found/by-history'] } },
    findings: ['rendered-links-only'],
  },
  {
    path: '/another-base/',
    html: page(
      '<title>Another base</title>',
      `document.head.insertAdjacentHTML('beforeend', '<base href="/found/">'); ${addLink('by-base')}`,
    ),
    // The base changes where the other link leads, too.
    expected: { added: { count: 1, urls: ['ORIGIN/found/by-base'] } },
    findings: ['rendered-links-only'],
  },
  {
    path: '/replaced-by-blob',
    html: page(
      '<title>Replaced by blob</title>',
      "location.href = URL.createObjectURL(new Blob(['<title>Blob</title>'], { type: 'text/html' }))",
    ),
    expected: { kind: 'failure', code: 'left', detail: 'its scripts replace it with a URL with blob:' },
    findings: ['not-rendered'],
  },
  {
    path: '/replaced-by-nothing',
    html: page('<title>Replaced by nothing</title>', "location.href = 'about:blank'"),
    expected: { kind: 'failure', code: 'left', detail: 'its scripts replace it with about:blank' },
    findings: ['not-rendered'],
  },
  {
    path: '/canonical-removed',
    html: page(
      '<title>Canonical removed</title><link rel="canonical" href="/canonical-removed">',
      "document.querySelector('link').remove()",
    ),
    expected: { after: { canonicals: [] } },
    findings: ['rendered-canonical-changed'],
  },
  {
    path: '/canonical-second',
    html: page(
      '<title>Canonical second</title><link rel="canonical" href="/canonical-second">',
      addCanonical('/plain'),
    ),
    expected: { after: { canonicals: [{ url: 'ORIGIN/canonical-second' }, { url: 'ORIGIN/plain' }] } },
    findings: ['rendered-canonical-changed'],
  },
  {
    path: '/noindex-and-more',
    html: page(
      '<title>Noindex and more</title><meta name="robots" content="noindex">',
      `document.title = 'Another'; ${addCanonical('/plain')}`,
    ),
    expected: { after: { title: 'Another', robots: [{ text: 'noindex' }] } },
    // Neither the title nor the canonical matters.
    findings: [],
  },
  {
    path: '/needs-failing-script',
    html: '<!doctype html><title>Needs failing script</title><script src="/failing.js"></script>',
    expected: { refused: [{ url: 'ORIGIN/failing.js', why: 'status-500' }] },
    findings: [],
  },
  {
    path: '/needs-failing-script-too',
    html: '<!doctype html><title>Needs failing script, too</title><script src="/failing.js"></script>',
    expected: { refused: [{ url: 'ORIGIN/failing.js', why: 'status-500' }] },
    findings: [],
  },
  {
    path: '/from-json',
    html: page(
      '<title>From JSON</title>',
      "fetch('/echo', { headers: { accept: 'application/json' } }).then((r) => r.text()).then((text) => { document.title = text; })",
    ),
    expected: { after: { title: 'accept: application/json, origin: none' } },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/from-another-origin',
    html: page(
      '<title>From another origin</title>',
      "fetch('OTHER/echo').then((r) => r.text()).then((text) => { document.title = text; })",
    ),
    expected: { after: { title: 'accept: */*, origin: ORIGIN' } },
    findings: ['rendered-title-changed'],
  },
  {
    path: '/from-closed-origin',
    html: page(
      '<title>From closed origin</title>',
      "fetch('OTHER/data.json').catch(() => { document.title = 'Closed'; })",
    ),
    expected: { after: { title: 'Closed' } },
    findings: ['rendered-title-changed'],
  },
];

/** Files that the pages need. */
export const FILES: Readonly<Record<string, SiteFile>> = {
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /blocked/\n' },
  '/kept': { body: '<title>Kept</title>' },
  '/data.json': { type: 'application/json', body: '{"title": "Title from data"}' },
  '/module.js': {
    type: 'text/javascript',
    body: "import { title } from './part.js'; document.title = title;",
  },
  '/part.js': { type: 'text/javascript', body: "export const title = 'Title from module';" },
  '/moved.js': { status: 302, headers: { location: '/moved-here.js' } },
  '/moved-here.js': { type: 'text/javascript', body: "document.title = 'Title from moved script';" },
  '/blocked/app.js': { type: 'text/javascript', body: "document.title = 'Wrong';" },
  '/moved-to-blocked.js': { status: 302, headers: { location: '/blocked/app.js' } },
  '/found/by-script': { body: '<title>Found by a script</title><a href="/found/deeper">deeper</a>' },
  '/found/deeper': { body: '<title>Found deeper</title>' },
  '/found/late': { body: '<title>Found late</title>' },
  '/found/in-shadow': { body: '<title>Found in a shadow root</title>' },
  '/failing.js': { status: 500 },
  '/found/in-frame': { body: '<title>Found in a frame</title>' },
  '/found/by-history': { body: '<title>Found by history</title>' },
  '/found/by-base': { body: '<title>Found by base</title>' },
  '/found/by-location': { body: '<title>Found by location</title>' },
};
