/** The launchers of examples/audits: after `kill -9` of a task, the same command continues its run, and one service lists all reports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { createEnvironment, hasPrograms } from '../census/support/programs.ts';
import { HAS_SLURM, type Slurm, startSlurm } from '../census/support/slurm.ts';
import { BIN, ROOT } from '../support/run.ts';
import { startService } from '../support/service.ts';

const [SITES, PAGES] = [5, 40];
const LAUNCHERS = join(ROOT, 'examples', 'audits');

let folder: string;
let environment: NodeJS.ProcessEnv;
let sites: readonly TestServer[];
/** Is called with each request to the first site. */
let onRequest: () => void;

beforeAll(() => {
  // The launchers quote paths.
  folder = mkdtempSync(join(tmpdir(), "maycrawl it's $a launcher-"));
  environment = createEnvironment(folder);
  mkdirSync(join(folder, 'tasks'));
  // A task writes its arguments to a file that is named after its process.
  writeFileSync(
    join(folder, 'bin', 'maycrawl'),
    `#!/bin/sh\necho "$@" > "${folder.replaceAll('$', '\\$')}/tasks/$$"\nexec "${process.execPath}" "${BIN}" "$@"\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  onRequest = () => {};
  sites = await Promise.all(
    Array.from({ length: SITES }, (_, index) => serveSite(`127.0.0.${index + 2}`, index === 0)),
  );
  writeFileSync(join(folder, 'sites.txt'), sites.map(({ origin }) => `${origin}/\n`).join(''));
});
afterEach(async () => {
  await Promise.all(sites.map((site) => site.close()));
});

/** Serves a site whose pages link to the next ones. */
function serveSite(address: string, isFirst: boolean): Promise<TestServer> {
  return serve(({ url = '' }, response) => {
    if (isFirst) onRequest();
    const page = url === '/' ? 0 : Number(url.slice(1));
    if (Number.isNaN(page)) {
      response.writeHead(404).end();
      return;
    }
    const links = [2 * page + 1, 2 * page + 2].filter((next) => next < PAGES);
    response.setHeader('content-type', 'text/html');
    response.end(`<title>${page}</title>${links.map((next) => `<a href="/${next}">n</a>`).join('')}`);
  }, address);
}

/** Kills the task of the first site. */
function killTask(): void {
  const { origin } = sites[0] as TestServer;
  for (const id of readdirSync(join(folder, 'tasks')))
    if (readFileSync(join(folder, 'tasks', id), 'utf8').includes(origin)) process.kill(Number(id), 'SIGKILL');
}

async function runProgram(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<boolean> {
  const child = spawn('sh', args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const messages = text(child.stderr);
  const [code] = await once(child, 'exit');
  if (/syntax|not found/i.test(await messages)) throw new Error(await messages);
  return code === 0;
}

/** @param launch - runs a launcher until all tasks have ended. */
async function checkLauncher(out: string, launch: () => Promise<unknown>): Promise<void> {
  const [first, ...others] = sites as [TestServer, ...TestServer[]];
  onRequest = () => {
    if (first.requests.length === PAGES / 2) killTask();
  };
  await launch();
  const service = await startService({ auditFolder: out });
  try {
    const getNames = async (): Promise<string[]> => {
      const { body } = await service.get('/v1/audits');
      return (body['reports'] as readonly { readonly name: string }[]).map(({ name }) => name).sort();
    };
    const toNames = (origins: readonly TestServer[]): string[] =>
      origins.map(({ origin }) => origin.slice('http://'.length).replace(':', '_')).sort();
    expect(await getNames()).toEqual(toNames(others));
    const before = others.map(({ requests }) => requests.filter((path) => path !== '/robots.txt').length);
    await launch();
    // The first list is used again for two seconds.
    await expect.poll(getNames, { timeout: 5_000 }).toEqual(toNames(sites));
    // Pages whose results were stored are not requested again.
    const pages = first.requests.filter((path) => path === '/' || /^\/\d+$/.test(path));
    expect(new Set(pages).size).toBe(PAGES);
    expect(pages.length).toBeLessThan(1.5 * PAGES);
    expect(others.map(({ requests }) => requests.filter((path) => path !== '/robots.txt').length)).toEqual(
      before,
    );
  } finally {
    await service.app.close();
  }
}

const OPTIONS = ['--concurrency', '1', '--delay', '10ms'];

test.skipIf(!hasPrograms('parallel'))('GNU parallel (skipped without parallel)', async () => {
  const out = join(folder, 'parallel');
  await checkLauncher(out, () =>
    runProgram(environment, join(LAUNCHERS, 'parallel.sh'), 'sites.txt', out, ...OPTIONS),
  );
});

test.skipIf(!HAS_SLURM)(
  'an array job of Slurm (skipped without slurmctld, slurmd and slurm-client)',
  async () => {
    const slurm: Slurm = await startSlurm(environment);
    try {
      const env = { ...slurm.env, MEMORY: '1G' };
      const out = join(folder, 'slurm');
      await checkLauncher(out, async () => {
        expect(await runProgram(env, join(LAUNCHERS, 'slurm.sh'), 'sites.txt', out, ...OPTIONS)).toBe(true);
        await slurm.waitForJobs();
      });
    } finally {
      await slurm.close();
    }
  },
);
