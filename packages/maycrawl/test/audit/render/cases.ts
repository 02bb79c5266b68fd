// Pages that their scripts change, and what must be stored about each of them.
import type { RenderCase, SiteFile } from './site.ts';

/** A page whose title is its path. */
function scripted(
  path: string,
  script: string,
  expected: RenderCase['expected'],
  findings: RenderCase['findings'] = [],
  head = '',
): RenderCase {
  const body = `<body><p>Text</p><a href="/kept">kept</a><script>${script}</script></body>`;
  const html = `<!doctype html><html><head><title>${path}</title>${head}</head>${body}</html>`;
  return { path, html, expected, findings };
}
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
  scripted('/plain', '', {
    before: { title: '/plain' },
    after: { title: '/plain' },
    added: NO_LINKS,
    removed: NO_LINKS,
  }),
  scripted(
    '/noindex-added',
    addMeta('noindex'),
    { before: { robots: [] }, after: { robots: [{ agent: null, text: 'noindex' }] } },
    ['rendered-noindex-added'],
  ),
  scripted('/noindex-for-another', addMeta('noindex').replace("'robots'", "'otherbot'"), {
    before: { robots: [] },
    after: { robots: [{ agent: 'otherbot', text: 'noindex' }] },
  }),
  scripted(
    '/noindex-removed',
    "document.querySelector('meta').remove()",
    { before: { robots: [{ text: 'noindex' }] }, after: { robots: [] } },
    ['rendered-noindex-removed'],
    '<meta name="robots" content="noindex">',
  ),
  scripted(
    '/canonical-changed',
    "document.querySelector('link').href = '/plain'",
    {
      before: { canonicals: [{ url: 'ORIGIN/canonical-changed' }] },
      after: { canonicals: [{ url: 'ORIGIN/plain' }] },
    },
    ['rendered-canonical-changed'],
    '<link rel="canonical" href="/canonical-changed">',
  ),
  scripted(
    '/canonical-added',
    addCanonical('/plain'),
    { before: { canonicals: [] }, after: { canonicals: [{ url: 'ORIGIN/plain' }] } },
    ['rendered-canonical-changed'],
  ),
  scripted(
    '/canonical-in-other-words',
    "document.querySelector('link').href = 'ORIGIN/plain#top'",
    { after: { canonicals: [{ url: 'ORIGIN/plain' }] } },
    [],
    '<link rel="canonical" href="/plain">',
  ),
  scripted(
    '/title-changed',
    "document.title = 'Loaded'",
    { before: { title: '/title-changed' }, after: { title: 'Loaded' } },
    ['rendered-title-changed'],
  ),
  scripted(
    '/links-only',
    `${addLink('/found/by-script')}${addLink('/kept')}`,
    { added: { count: 1, urls: ['ORIGIN/found/by-script'] }, removed: NO_LINKS },
    ['rendered-links-only'],
  ),
  scripted('/links-removed', "document.querySelector('a').remove()", {
    added: NO_LINKS,
    removed: { count: 1, urls: ['ORIGIN/kept'] },
  }),
  scripted(
    '/after-seconds',
    `setTimeout(() => { ${addLink('/found/late')} }, 2000)`,
    { added: { count: 1, urls: ['ORIGIN/found/late'] }, isStopped: false },
    ['rendered-links-only'],
  ),
  scripted(
    '/from-data',
    "fetch('/data.json').then((r) => r.json()).then(({ title }) => { document.title = title; })",
    { after: { title: 'Title from data' }, refused: [], requests: 1 },
    ['rendered-title-changed'],
  ),
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
  // It is a `blocked-resource`.
  {
    path: '/needs-blocked-script',
    html: '<!doctype html><title>Needs blocked script</title><script src="/blocked/app.js"></script>',
    expected: {
      after: { title: 'Needs blocked script' },
      refused: [{ url: 'ORIGIN/blocked/app.js', reason: 'robots' }],
    },
    findings: [],
  },
  // The URL that is disallowed.
  {
    path: '/needs-script-moved-to-blocked',
    html: '<!doctype html><title>Needs script moved to blocked</title><script src="/moved-to-blocked.js"></script>',
    expected: { refused: [{ url: 'ORIGIN/blocked/app.js', reason: 'robots' }] },
    findings: ['rendered-resource-blocked'],
  },
  scripted(
    '/in-shadow',
    `const host = document.createElement('div'); document.body.append(host);
       host.attachShadow({ mode: 'open' }).innerHTML = '<div><a href="/found/in-shadow">x</a></div>';`,
    { added: { count: 1, urls: ['ORIGIN/found/in-shadow'] } },
    ['rendered-links-only'],
  ),
  {
    path: '/when-visible',
    html: `<!doctype html><title>When visible</title><body><div style="height: 5000px"></div><p id="end"></p><script>
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting) document.title = 'Visible'; })
        .observe(document.getElementById('end'));</script>`,
    expected: { after: { title: 'Visible' } },
    findings: ['rendered-title-changed'],
  },
  // All virtual time is over before the next frame.
  scripted(
    '/visible-late',
    `setTimeout(() => new IntersectionObserver(() => { ${addLink('/found/late')} }).observe(document.body), 4990);`,
    { added: { count: 1, urls: ['ORIGIN/found/late'] } },
    ['rendered-links-only'],
  ),
  scripted('/leads-away', "location.href = '/found/by-location'", { redirect: 'ORIGIN/found/by-location' }, [
    'rendered-redirect',
  ]),
  scripted('/reloads', 'location.reload()', { redirect: null }),
  scripted(
    '/hides-its-document',
    `document.body.innerHTML = '<img name="getElementsByTagName"><img name="documentElement"><a href="/kept">kept</a>';
       Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<title>Another</title>' });`,
    { after: { title: '/hides-its-document' } },
  ),
  scripted(
    '/image-without-request',
    "const i = new Image(); i.onload = () => { document.title = 'Seen'; }; i.src = '/image.png';",
    { after: { title: 'Seen' }, requests: 0 },
    ['rendered-title-changed'],
  ),
  scripted(
    '/posts',
    "fetch('/data.json', { method: 'POST' }).catch(() => { document.title = 'Refused'; })",
    { after: { title: 'Refused' }, refused: [{ url: 'ORIGIN/data.json', reason: 'method' }] },
    ['rendered-title-changed'],
  ),
  // Not a script.
  {
    path: '/refreshes',
    html: '<!doctype html><title>Refreshes</title><meta http-equiv="refresh" content="1; url=/kept">',
    expected: { redirect: null },
    findings: [],
  },
  scripted('/adds-frame', addFrame('/found/in-frame'), { added: NO_LINKS }),
  scripted(
    '/another-url/',
    `history.pushState({}, '', '/found/'); ${addLink('by-history')}`,
    { added: { count: 1, urls: ['ORIGIN/found/by-history'] } },
    ['rendered-links-only'],
  ),
  // The base changes where the other link leads, too.
  scripted(
    '/another-base/',
    `document.head.insertAdjacentHTML('beforeend', '<base href="/found/">'); ${addLink('by-base')}`,
    { added: { count: 1, urls: ['ORIGIN/found/by-base'] } },
    ['rendered-links-only'],
  ),
  scripted(
    '/replaced-by-blob',
    "location.href = URL.createObjectURL(new Blob(['<title>Blob</title>'], { type: 'text/html' }))",
    { kind: 'failure', code: 'left', detail: 'its scripts replace it with a URL with blob:' },
    ['not-rendered'],
  ),
  scripted(
    '/replaced-by-nothing',
    "location.href = 'about:blank'",
    { kind: 'failure', code: 'left', detail: 'its scripts replace it with about:blank' },
    ['not-rendered'],
  ),
  scripted(
    '/canonical-removed',
    "document.querySelector('link').remove()",
    { after: { canonicals: [] } },
    ['rendered-canonical-changed'],
    '<link rel="canonical" href="/canonical-removed">',
  ),
  scripted(
    '/canonical-second',
    addCanonical('/plain'),
    { after: { canonicals: [{ url: 'ORIGIN/canonical-second' }, { url: 'ORIGIN/plain' }] } },
    ['rendered-canonical-changed'],
    '<link rel="canonical" href="/canonical-second">',
  ),
  // Neither the title nor the canonical matters.
  scripted(
    '/noindex-and-more',
    `document.title = 'Another'; ${addCanonical('/plain')}`,
    { after: { title: 'Another', robots: [{ text: 'noindex' }] } },
    [],
    '<meta name="robots" content="noindex">',
  ),
  {
    path: '/needs-failing-script',
    html: '<!doctype html><title>Needs failing script</title><script src="/failing.js"></script>',
    expected: { refused: [{ url: 'ORIGIN/failing.js', reason: 'status-500' }] },
    findings: [],
  },
  {
    path: '/needs-failing-script-too',
    html: '<!doctype html><title>Needs failing script, too</title><script src="/failing.js"></script>',
    expected: { refused: [{ url: 'ORIGIN/failing.js', reason: 'status-500' }] },
    findings: [],
  },
  scripted(
    '/from-json',
    "fetch('/echo', { headers: { accept: 'application/json' } }).then((r) => r.text()).then((text) => { document.title = text; })",
    { after: { title: 'accept: application/json, origin: none' } },
    ['rendered-title-changed'],
  ),
  scripted(
    '/from-another-origin',
    "fetch('OTHER/echo').then((r) => r.text()).then((text) => { document.title = text; })",
    { after: { title: 'accept: */*, origin: ORIGIN' } },
    ['rendered-title-changed'],
  ),
  scripted(
    '/from-closed-origin',
    "fetch('OTHER/data.json').catch(() => { document.title = 'Closed'; })",
    { after: { title: 'Closed' } },
    ['rendered-title-changed'],
  ),
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
