// The sites of the simulation: which file each of them has, and how it fails. All of it follows from the number of the site and the time.

/** The crawler of the whole fleet. */
export const AGENT = 'FleetBot';
/** The requested paths of each site. */
export const PATHS = [
  '/',
  '/about',
  '/changed/1',
  '/document.pdf',
  '/list?page=2',
  '/list?session=7',
  ...[0, 1, 2, 3, 4].flatMap((number) => [`/p${number}/page`, `/p${number}/open/page`]),
];

/** Milliseconds after which sites that change or fail at times do so. */
const INTERVAL = 150_000;
/** The kinds of sites that are not `plain`, with their share. */
const SHARES = [
  ['short-lived', 0.06],
  ['changing', 0.04],
  ['missing', 0.08],
  ['unavailable', 0.03],
  ['sometimes-unavailable', 0.02],
  ['limiting', 0.02],
  ['slow', 0.03],
  ['hanging', 0.003],
  ['resetting', 0.02],
  ['incomplete', 0.01],
  ['redirecting', 0.03],
  ['redirecting-to-another', 0.02],
  ['redirecting-endlessly', 0.005],
  ['large', 0.001],
];
/** Templates of files: five, each as it is and as it is when it has changed; and a large one. */
const TEMPLATES = 5;
const LARGE_BYTES = 600_000;

/** How a site behaves. The sites from `count` on are slow, so that a process can be killed while it fetches them. */
export function getSiteKind(site, count) {
  if (site >= count) return 'very-slow';
  let share = (Math.imul(site + 1, 2_654_435_761) >>> 0) / 2 ** 32;
  for (const [kind, size] of SHARES) {
    if (share < size) return kind;
    share -= size;
  }
  return 'plain';
}

/** The address of a site: 127.1.0.0 and the following ones. */
export function getHost(site, port) {
  return `127.${1 + (site >> 16)}.${(site >> 8) & 255}.${site & 255}:${port}`;
}

export function getSite(host) {
  const [, a, b, c] = host.split(/[.:]/).map(Number);
  return ((a - 1) << 16) + (b << 8) + c;
}

/** The name of the file that a site has at a time. */
export function getTemplate(site, kind, time) {
  if (kind === 'large') return 'large';
  const isChanged = kind === 'changing' && Math.floor(time / INTERVAL + site / 7) % 2 === 1;
  return `${site % TEMPLATES}${isChanged ? '-changed' : ''}`;
}

/** Whether a site that fails at times does so. */
export function isFailing(site, time) {
  return Math.floor(time / INTERVAL + site / 7) % 2 === 1;
}

/** The robots.txt with the name. */
export function getFile(template) {
  const number = Number.parseInt(template, 10) || 0;
  const rules = [
    `Disallow: /p${number}/`,
    `Allow: /p${number}/open`,
    'Disallow: /*?session=',
    'Disallow: /*.pdf$',
    ...(template.endsWith('-changed') ? ['Disallow: /changed'] : []),
  ].join('\n');
  if (template === 'large') {
    // The rule at the end is beyond the limit of bytes that crawlers read.
    const comments = `# ${'-'.repeat(97)}\n`.repeat(LARGE_BYTES / 100);
    return `User-agent: *\n${rules}\n${comments}Disallow: /\n`;
  }
  // The targets of redirects are allowed to all: the service fetches for all crawlers, and follows no redirect that `*` may not.
  return number % 2 === 0
    ? `User-agent: *\nAllow: /moved/\nDisallow: /\n\nUser-agent: ${AGENT}\n${rules}\n`
    : `User-agent: *\n${rules}\n\nUser-agent: OtherBot\nDisallow: /\n`;
}
