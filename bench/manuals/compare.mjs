// Audits manuals that are decorated like a site, and compares URLs, statuses, redirects, titles, canonicals, noindex, links and their texts with those of
// an independent crawler (crawl.py), and the errors with those of linkchecker. Debian: apt-get install nginx-light python3-bs4 python3-html5lib python3-lxml
// linkchecker postgresql-doc-15 python3-doc apache2-doc. Exits with 1 if there is a difference. An argument
// selects the manuals whose names contain it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decorate } from './decorate.mjs';
import { findFreePort, serveFolder } from './nginx.mjs';

const COMMAND = fileURLToPath(new URL('../../packages/maycrawl/bin/maycrawl.js', import.meta.url));
const CRAWLER = fileURLToPath(new URL('./crawl.py', import.meta.url));
// Debian's, which finds Debian's packages.
const PYTHON = '/usr/bin/python3';
const AGENT = 'Googlebot';
const HTML = new Set(['text/html', 'application/xhtml+xml']);
/** Texts of the links of a page to a URL, and characters of a text, that an audit has. */
const [MAX_TEXTS, MAX_TEXT] = [5, 200];
/** Differences that are printed in full. */
const SHOWN = 10;

const SITES = [
  {
    name: 'PostgreSQL 15',
    folder: '/usr/share/doc/postgresql-doc-15/html',
    path: '/index.html',
    // Each page has <link rev="made" href="pgsql-docs@…">, which is not a hyperlink.
    explained: ['/pgsql-docs@lists.postgresql.org'],
    decorations: {
      pages: [
        ['/tutorial-arch.html', 301, '/tutorial-install.html'],
        ['/tutorial-createdb.html', 302, '/tutorial-start.html'],
        ['/tutorial-start.html', 301, '/tutorial-accessdb.html'],
        ['/sql-abort.html', 301, '/sql-loop.html'],
        ['/sql-loop.html', 301, '/sql-abort.html'],
        ['/sql-alteraggregate.html', 301, '/gone.html'],
        ['/sql-altercollation.html', 301, '/catalog-pg-class.html'],
        ['/sql-alterconversion.html', 301, '/functions-math.html'],
        ['/view-pg-locks.html', 410],
        ['/storage-vm.html', 404],
        ['/protocol-overview.html', 500],
      ],
      noindex: '^/functions-',
      canonical: '^/datatype-',
      blocked: ['/catalog-', '/ecpg'],
      listed: '/',
    },
  },
  {
    name: 'Python 3',
    folder: '/usr/share/doc/python3-doc/html',
    path: '/index.html',
    decorations: {
      pages: [
        ['/howto/curses.html', 301, '/howto/descriptor.html'],
        ['/howto/functional.html', 301, '/howto/moved.html'],
        ['/howto/moved.html', 301, '/howto/gone.html'],
        ['/library/cgi.html', 410],
        ['/library/tkinter.html', 500],
      ],
      noindex: '^/c-api/',
      canonical: '^/tutorial/[a-d]',
      blocked: ['/_sources/', '/distutils/'],
      listed: '/library/',
    },
  },
  {
    name: 'Apache 2.4',
    folder: '/usr/share/doc/apache2-doc/manual',
    path: '/en/index.html',
    decorations: {
      pages: [
        ['/en/caching.html', 301, '/en/handler.html'],
        ['/en/dso.html', 301, '/en/stopping.html'],
        ['/en/stopping.html', 301, '/en/dso.html'],
        ['/en/license.html', 404],
      ],
      noindex: '^/en/mod/mod_a',
      canonical: '^/en/howto/',
      blocked: ['/ja/', '/en/rewrite/'],
      listed: '/en/',
    },
  },
];

const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-compare-'));

function run(command, args) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status === null) throw new Error(`${command} was ended by ${signal ?? error.message}`);
  return { status, stdout, stderr };
}

function requireSuccess({ status, stdout, stderr }, name) {
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return stdout;
}

const readLines = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Returns what the independent crawler found, by URL. */
function crawl(start) {
  const lines = readLines(requireSuccess(run(PYTHON, [CRAWLER, start, AGENT]), 'crawl.py'));
  return new Map(
    lines.map(({ url, links, ...facts }) => [url, { ...facts, ...(links && { links: groupTexts(links) }) }]),
  );
}

/** Returns the same facts from an audit, by URL. */
function audit(start) {
  const out = join(scratch, `run-${new URL(start).port}`);
  const { status, stderr } = run(process.execPath, [COMMAND, 'audit', start, '--agent', AGENT, '--out', out]);
  if (status !== 0) throw new Error(`the audit ended with ${status}: ${stderr}`);
  const links = readLinks(out);
  const facts = new Map();
  for (const report of readLines(readFileSync(join(out, 'urls.ndjson'), 'utf8'))) {
    const { url, state, status, redirects, noindex, canonical, title } = report;
    if (state === 'blocked') facts.set(url, { blocked: true });
    else if (redirects?.length > 0)
      facts.set(url, { status: redirects[0].status, location: redirects[0].to });
    else if (status !== 200 || !HTML.has(report.type)) facts.set(url, { status });
    else
      facts.set(url, {
        status,
        title,
        canonical: canonical.urls[0] ?? null,
        noindex: noindex.length > 0,
        links: links.get(url),
      });
  }
  return facts;
}

/** Returns the links of the pages of a run by URL: the texts by target. */
function readLinks(out) {
  const lines = requireSuccess(
    run(process.execPath, [COMMAND, 'audit', 'links', out, '--json']),
    'audit links',
  );
  const pages = new Map();
  for (const { from, to, types, texts } of readLines(lines)) {
    if (!types.includes('link') && !types.includes('nofollow')) continue;
    const links = pages.get(from) ?? new Map();
    pages.set(from, links.set(to, texts));
  }
  return pages;
}

/** Returns the first texts of links by target, as an audit has them. */
function groupTexts(links) {
  const targets = new Map();
  for (const [to, text] of links) {
    const texts = targets.get(to) ?? [];
    const first = text?.slice(0, MAX_TEXT).replace(/ $/, '');
    if (text !== null && texts.length < MAX_TEXTS && !texts.includes(first)) texts.push(first);
    targets.set(to, texts);
  }
  return targets;
}

/** Returns the differences between two maps of facts, as `[fact, url, independent, audit]`. */
function compare(expected, actual) {
  const differences = [];
  for (const url of new Set([...expected.keys(), ...actual.keys()])) {
    const [left, right] = [expected.get(url), actual.get(url)];
    if (left === undefined || right === undefined) {
      differences.push([
        'url',
        url,
        left === undefined ? 'missing' : 'found',
        right === undefined ? 'missing' : 'found',
      ]);
      continue;
    }
    for (const fact of ['blocked', 'status', 'location', 'title', 'canonical', 'noindex'])
      if (left[fact] !== right[fact]) differences.push([fact, url, left[fact], right[fact]]);
    const [leftLinks, rightLinks] = [left, right].map(({ links }) => links ?? new Map());
    for (const [to, texts] of leftLinks)
      if (!rightLinks.has(to)) differences.push(['link', url, to, 'missing']);
      else if (String(texts) !== String(rightLinks.get(to)))
        differences.push(['text', `${url} to ${to}`, texts, rightLinks.get(to)]);
    for (const to of rightLinks.keys())
      if (!leftLinks.has(to)) differences.push(['link', url, 'missing', to]);
  }
  return differences;
}

/** Returns the URLs of the site that linkchecker calls errors. */
function findErrors(start) {
  const out = join(scratch, `linkchecker-${new URL(start).port}.csv`);
  const { stderr } = run('linkchecker', [
    '--no-status',
    '--no-warnings',
    '-F',
    `csv/utf-8/${out}`,
    '-o',
    'none',
    start,
  ]);
  if (!existsSync(out)) throw new Error(`linkchecker: ${stderr}`);
  const [header, ...lines] = readFileSync(out, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const names = header.split(';');
  const rows = lines.map((line) =>
    Object.fromEntries(line.split(';').map((cell, index) => [names[index], cell])),
  );
  return new Set(rows.filter(({ valid }) => valid === 'False').map(({ url }) => url.split('#')[0]));
}

let isDifferent = false;
try {
  for (const { name, folder, path, decorations, explained = [] } of SITES.filter(({ name }) =>
    name.includes(process.argv[2] ?? ''),
  )) {
    if (!existsSync(folder)) {
      console.log(`${name}: skipped, ${folder} is not installed`);
      continue;
    }
    const port = await findFreePort();
    const origin = `http://127.0.0.1:${port}`;
    const rules = decorate(decorations, { folder, origin, scratch });
    const server = await serveFolder(folder, { scratch, port, rules });
    try {
      const start = `${origin}${path}`;
      const [expected, actual] = [crawl(start), audit(start)];
      const differences = compare(expected, actual);
      const links = [...expected.values()].reduce((sum, { links }) => sum + (links?.size ?? 0), 0);
      console.log(`\n${name}: ${expected.size} URLs, ${links} links, ${differences.length} differences`);
      for (const [fact, found] of groupByFact(differences)) {
        console.log(`  ${fact}: ${found.length}`);
        for (const [, url, left, right] of found.slice(0, SHOWN))
          console.log(`    ${url}: crawl.py ${JSON.stringify(left)}, audit ${JSON.stringify(right)}`);
      }
      const errors = findErrors(start);
      const explanations = new Set(explained.map((path) => `${origin}${path}`));
      const missed = [...errors].filter((url) => !explanations.has(url) && !(actual.get(url)?.status >= 400));
      console.log(`  linkchecker: ${errors.size} errors, ${missed.length} of them missed`);
      for (const url of missed.slice(0, SHOWN))
        console.log(`    ${url}: ${JSON.stringify(actual.get(url))?.slice(0, 200)}`);
      isDifferent ||= differences.length > 0 || missed.length > 0;
    } finally {
      server.stop();
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = isDifferent ? 1 : 0;

function groupByFact(differences) {
  const groups = new Map();
  for (const difference of differences) {
    const [fact] = difference;
    groups.set(fact, [...(groups.get(fact) ?? []), difference]);
  }
  return groups;
}
