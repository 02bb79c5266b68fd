// The worst known robots.txt files, each of the maximum size.

/** The maximum size in bytes. */
const LIMIT = 512_000;

/** Creates a file with as many lines as fit. */
export function fill(head, line) {
  const parts = [head];
  let length = head.length;
  for (let index = 0; ; index++) {
    const next = line(index);
    length += next.length;
    if (length > LIMIT) return parts.join('');
    parts.push(next);
  }
}

const all = 'User-agent: *\n';
/** A product token for each number. */
export const name = (index) => index.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[digit]);
const binary = (index, one, zero) =>
  [...index.toString(2)].map((bit) => (bit === '1' ? one : zero)).join('*');
const half = (text) => text.slice(0, text.lastIndexOf('\n', LIMIT / 2) + 1);

/** The files by name. */
export const FILES = {
  'each agent in a group of its own': fill('', (n) => `User-agent: ${name(n)}\nDisallow: /${n}\n`),
  'each agent with star rules of its own': fill(
    '',
    (n) => `User-agent: ${name(n)}\nDisallow: /*a${n}*b\nAllow: /*c*${n}\n`,
  ),
  'all agents in one group': `${half(fill('', (n) => `User-agent: ${name(n)}\n`))}${half(fill('', (n) => `Disallow: /p${n}\n`))}`,
  'each agent also in one large group': `${half(fill('', (n) => `User-agent: ${name(n)}\nDisallow: /${n}\n`))
    .slice(0, 200_000)
    .replace(/\n[^\n]*$/, '\n')}${fill('', (n) => `User-agent: ${name(n)}\n`)
    .slice(0, 100_000)
    .replace(/\n[^\n]*$/, '\n')}${half(fill('', (n) => `Disallow: /p${n}\n`)).slice(0, 200_000)}`,
  'many groups for one agent': fill('', (n) => `User-agent: a\nDisallow: /${n}\n`),
  'plain rules': fill(all, (n) => `Disallow: /path-${n}/\n`),
  'rules of one letter': fill(all, (n) => `Disallow: /${'a'.repeat(n % 5000)}\n`),
  'nested rules that take turns': fill(
    all,
    (n) => `${n % 2 ? 'Allow' : 'Disallow'}: /${'a/'.repeat(n % 400)}\n`,
  ),
  'rules with stars': fill(all, (n) => `Disallow: /*a${n}*b${n % 7}*c\n`),
  'rules with stars that take turns': fill(
    all,
    (n) => `${n % 2 ? 'Allow' : 'Disallow'}: /*${binary(n, 'a', 'b')}*c\n`,
  ),
  'forty rules with stars': [
    all,
    ...Array.from({ length: 40 }, (_, n) => `${n % 2 ? 'Allow' : 'Disallow'}: /*a${n}*b${n % 7}*c\n`),
  ].join(''),
  'rules with many stars': fill(all, (n) => `Disallow: /${'*a'.repeat(100 + (n % 300))}*b${n}\n`),
  'lines at the limit': fill(all, (n) => `Disallow: /${'*a'.repeat(8300)}${n}\n`),
  'stars at the end': fill(
    all,
    (n) => `Disallow: /${n}${'*'.repeat(n % 2000)}x\nDisallow: /${n}${'*'.repeat(n % 2000)}\n`,
  ),
  'stars at the end in many groups': fill(
    '',
    (n) => `User-agent: ${name(n)}\nDisallow: /a*\nAllow: /a\nDisallow: /b${n}*\n`,
  ),
  dollars: fill(all, (n) => `${n % 3 ? 'Allow' : 'Disallow'}: /*${n % 97}$\n`),
  'rules that are all the same': fill(all, () => 'Disallow: /a\n'),
  'names like known ones': `${fill('', (n) => `User-agent: googleb${name(n)}\n`)}Disallow: /\n`,
  'records for many agents': fill(
    '',
    (n) => `User-agent: ${name(n % 9000)}\n${n % 5 ? '' : `Crawl-delay: ${n}\n`}`,
  ),
  'records beside rules': fill(
    all,
    (n) => `Crawl-delay: ${n}\nSitemap: https://h.example/${n}.xml\nClean-param: a${n}\n`,
  ),
  'line ends': '\r'.repeat(LIMIT),
  'short rules': fill(all, () => 'allow:\n'),
  comments: fill('', (n) => `#${n}\n`),
  escapes: fill(all, (n) => `Disallow: /%e4%25${n}${'%c3%a4'.repeat(n % 50)}\n`),
  'bytes that are not UTF-8': Buffer.from(
    fill(all, (n) => `Disallow: /\xe4${n}\nSitemap: \xff${n}\n`),
    'latin1',
  ),
  NULs: fill(all, (n) => `Disallow: /${n}\0${n}\n`),
};
