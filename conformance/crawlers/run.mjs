// Points crawlers at the sites of `maycrawl conformance serve`, and writes results.json and docs/crawler-conformance.md. With `--page` it
// only writes the page.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openConformanceServer } from '../../packages/maycrawl/dist/conformance/conformance-server.js';
import { SCENARIOS } from '../../packages/maycrawl/dist/conformance/scenarios/scenarios.js';
import { formatPage } from './page.mjs';

const HERE = new URL('./', import.meta.url);
const PAGE = new URL('../../docs/crawler-conformance.md', HERE);
const RESULTS = new URL('results.json', HERE);
/** Milliseconds for one crawler. */
const DEADLINE = 300_000;
const AGENT = 'ExampleBot';

const readJson = (path) => JSON.parse(readFileSync(new URL(path, HERE), 'utf8'));
const node = (file, ...args) => [process.execPath, fileURLToPath(new URL(file, HERE)), ...args];
const getWgetVersion = () => execFileSync('wget', ['--version'], { encoding: 'utf8' }).split(' ')[2];

/** Crawlers: `getCommand` gets the start pages and an empty folder. */
const CRAWLERS = [
  {
    id: 'client-google',
    name: '@maycrawl/client',
    agent: AGENT,
    getVersion: () => readJson('../../packages/client/package.json').version,
    getCommand: (starts) => node('client.mjs', AGENT, 'google', ...starts),
  },
  {
    id: 'client-rfc9309',
    name: '@maycrawl/client, `rfc9309`',
    agent: AGENT,
    getVersion: () => readJson('../../packages/client/package.json').version,
    getCommand: (starts) => node('client.mjs', AGENT, 'rfc9309', ...starts),
  },
  {
    id: 'crawlee',
    name: 'Crawlee',
    agent: AGENT,
    getVersion: () => readJson('../../bench/package.json').dependencies['@crawlee/cheerio'],
    getCommand: (starts) => node('crawlee.mjs', AGENT, ...starts),
  },
  {
    id: 'wget',
    name: 'wget',
    agent: 'wget',
    getVersion: getWgetVersion,
    getCommand: (starts, folder) => [
      ...[
        'wget',
        '--no-config',
        '--quiet',
        '--recursive',
        '--level=1',
        '--span-hosts',
        '--timeout=3',
        '--tries=1',
      ],
      ...['--delete-after', '--directory-prefix', folder, ...starts],
    ],
  },
];

/** Runs a crawler. @returns the report of the server. */
async function runCrawler({ agent, getCommand }) {
  const server = await openConformanceServer({ port: 0, agent });
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-crawler-'));
  try {
    const [program, ...args] = getCommand(server.starts, folder);
    await new Promise((resolve) => {
      const child = spawn(program, args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: DEADLINE,
        killSignal: 'SIGKILL',
      });
      child.on('close', resolve);
    });
    return server.getReport();
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the page needs of a report. */
const toResult = ({ rfc9309, google, robotsRequests, cached }) => ({
  rfc9309: rfc9309.outcome,
  google: google.outcome,
  robotsRequests,
  cached,
});

if (!process.argv.includes('--page')) {
  const results = [];
  for (const crawler of CRAWLERS) {
    const reports = await runCrawler(crawler);
    results.push({
      id: crawler.id,
      name: crawler.name,
      version: crawler.getVersion(),
      date: new Date().toISOString().slice(0, 10),
      scenarios: Object.fromEntries(reports.map((report) => [report.id, toResult(report)])),
    });
    console.log(crawler.id, reports.filter(({ rfc9309 }) => rfc9309.outcome === 'failed').length, 'failed');
  }
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
}
writeFileSync(PAGE, formatPage(SCENARIOS, readJson('results.json')));
