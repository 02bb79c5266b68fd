import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import type { AnalysisTask } from '../../dist/watch/analysis/analysis.js';
import { createAnalysisThreads } from '../../dist/watch/analysis/analysis-threads.js';
import { openWatchDatabase } from '../../dist/watch/storage/database.js';
import { Outbox } from '../../dist/watch/storage/outbox.js';
import { SiteRepository } from '../../dist/watch/storage/site-repository.js';
import { type WorkerOptions, work } from '../../dist/watch/worker.js';

const HOSTILE = new URL('../support/hostile-analysis.mjs', import.meta.url);
const REAL = new URL('../../dist/watch/analysis/analysis.js', import.meta.url);
const SCRIPT = new URL('../support/watch-process.mjs', import.meta.url);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OPEN = 'User-agent: *\nAllow: /\n';
const CLOSED = 'User-agent: *\nDisallow: /\n';

let folder: string;
let hostile: TestServer;
let honest: TestServer;
let files: { hostile: string; honest: string };
let now: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-set-aside-'));
  files = { hostile: OPEN, honest: OPEN };
  now = Date.UTC(2026, 0, 1);
  hostile = await serve((_request, response) => response.end(files.hostile));
  honest = await serve((_request, response) => response.end(files.honest));
});
afterEach(async () => {
  await Promise.all([hostile.close(), honest.close()]);
  rmSync(folder, { recursive: true });
});

const getPath = (): string => join(folder, 'watch.sqlite');

async function withRepository<T>(use: (repository: SiteRepository) => Promise<T>): Promise<T> {
  const database = await openWatchDatabase(getPath());
  try {
    return await use(new SiteRepository(database));
  } finally {
    await database.db.close();
  }
}

const watchBoth = (): Promise<void> =>
  withRepository((repository) =>
    repository.addSites(
      [hostile.origin, honest.origin],
      { every: HOUR, confirm: 0, agents: [], notify: ['log'] },
      () => now,
    ),
  );

/** Runs a worker, as `watch run --once`, with a database connection of its own. */
async function workOnce(options: Pick<WorkerOptions, 'analyse'> & Partial<WorkerOptions>): Promise<void> {
  const database = await openWatchDatabase(getPath());
  try {
    await work({
      ...{ repository: new SiteRepository(database), outbox: new Outbox(database) },
      ...{ fetcher: refetchRobotsTxt, userAgent: 'test', allowPrivateAddresses: true, timeout: 5_000 },
      ...{ now: () => now, random: () => 0, sleep: async () => {}, once: true },
      ...{ signal: new AbortController().signal, deliver: async () => ({ kind: 'delivered' }) },
      ...options,
    });
  } finally {
    await database.db.close();
  }
}

/**
 * Runs a worker with threads of its own. Only an analysis that never ends has a short deadline: on a busy machine, the start of a thread
 * for any other could take longer.
 */
async function run({ file = HOSTILE, megabytes = 512 } = {}): Promise<{
  errors: string[];
  delivered: string[];
}> {
  const [errors, delivered]: [string[], string[]] = [[], []];
  const onError = (what: string, error: unknown): void =>
    void errors.push(`${what}: ${(error as Error).message}`);
  const [unhurried, short] = ([60_000, 1_000] as const).map((deadline) =>
    createAnalysisThreads({ file, megabytes, deadline, onError: (error) => onError('thread', error) }),
  ) as [Threads, Threads];
  const isEndless = ({ after }: AnalysisTask): boolean =>
    file === HOSTILE && Buffer.from(after.history.response?.bytes ?? []).includes('never-ends');
  try {
    await workOnce({
      analyse: (task, analysis) => (isEndless(task) ? short : unhurried).analyse(task, analysis),
      deliver: async (_target, { alerts }) => {
        delivered.push(...alerts.map(({ title }) => title));
        return { kind: 'delivered' };
      },
      onError,
    });
  } finally {
    await Promise.all([unhurried.close(), short.close()]);
  }
  return { errors, delivered };
}

type Threads = ReturnType<typeof createAnalysisThreads>;

const getEvents = (origin: string): Promise<string[]> =>
  withRepository(async (repository) =>
    (await repository.events(100, origin)).reverse().map(({ kind }) => kind),
  );

const getSitesSetAside = (): Promise<string[]> =>
  withRepository(async (repository) => (await repository.sitesSetAside(10)).map(({ origin }) => origin));

/** Runs the analysis of the hostile site until the site is set aside. */
async function setHostileAside(file: string): Promise<void> {
  await watchBoth();
  await run();
  files.hostile = file;
  now += 2 * HOUR;
  await run();
  now += 10 * MINUTE;
  await run();
  expect(await getSitesSetAside()).toEqual([hostile.origin]);
}

describe('an analysis that does not complete', () => {
  test.each(['never-ends', 'exhausts-memory'])(
    'is terminated, other sites are checked, and the second time the site is set aside: %s',
    async (what) => {
      await watchBoth();
      await run();
      files = { hostile: `# ${what}\n${OPEN}`, honest: CLOSED };
      now += 2 * HOUR;
      const first = await run({ megabytes: 64 });
      expect(first.errors).toEqual([
        expect.stringContaining(`${hostile.origin} was not checked: the analysis`),
      ]);
      expect(await getEvents(honest.origin)).toEqual(['first', 'root-blocked']);
      expect(await getEvents(hostile.origin)).toEqual(['first']);
      now += 10 * MINUTE;
      const second = await run({ megabytes: 64 });
      expect(second.delivered).toEqual([
        expect.stringMatching(/set aside: the analysis of its file of \d+ bytes was ended 2 times/),
      ]);
      expect(await getEvents(hostile.origin)).toEqual(['first', 'set-aside']);
      expect(await getSitesSetAside()).toEqual([hostile.origin]);
      // No worker analyses it again, and the other site is checked as before.
      files.honest = OPEN;
      now += 2 * HOUR;
      expect((await run()).errors).toEqual([]);
      expect(await getEvents(honest.origin)).toEqual(['first', 'root-blocked', 'restored']);
    },
    60_000,
  );

  test('that ends the process counts as an attempt, and the third worker does not start it', async () => {
    await watchBoth();
    await run();
    files = { hostile: `# ends-the-process\n${OPEN}`, honest: OPEN };
    for (let crash = 0; crash < 2; crash++) {
      now += 2 * HOUR;
      const child = fork(SCRIPT, [getPath(), String(now), '5000', HOSTILE.href], { execArgv: [] });
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    }
    files.honest = CLOSED;
    now += 2 * HOUR;
    const child = fork(SCRIPT, [getPath(), String(now), '5000', HOSTILE.href], { execArgv: [] });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await getEvents(hostile.origin)).toEqual(['first', 'set-aside']);
    expect(await getEvents(honest.origin)).toEqual(['first', 'root-blocked']);
    const [event] = await withRepository((repository) => repository.events(1, hostile.origin));
    expect(event?.text).toContain('the process ended during the analysis');
  });

  test('of a worker that is stopped does not count as an attempt', async () => {
    await watchBoth();
    await run();
    files.hostile = `# never-ends\n${OPEN}`;
    for (let stop = 0; stop < 3; stop++) {
      now += 2 * HOUR;
      const controller = new AbortController();
      const threads = createAnalysisThreads({ file: HOSTILE, onError: () => {} });
      await workOnce({
        signal: controller.signal,
        analyse: (task, options) =>
          threads.analyse(task, {
            ...options,
            onStart: async () => {
              await options.onStart();
              setImmediate(() => controller.abort(new Error('stopped')));
            },
          }),
      });
      await threads.close();
    }
    expect(await getSitesSetAside()).toEqual([]);
    files.hostile = CLOSED;
    now += 2 * HOUR;
    expect((await run()).errors).toEqual([]);
    expect(await getEvents(hostile.origin)).toEqual(['first', 'root-blocked']);
  });
});

describe('a site that is set aside', () => {
  test('is fetched once a day, and analysed when its file has changed', async () => {
    await setHostileAside(`# never-ends\n${OPEN}`);
    now += 1.1 * DAY;
    expect((await run()).errors).toEqual([]);
    expect(await getSitesSetAside()).toEqual([hostile.origin]);
    files.hostile = CLOSED;
    now += 1.1 * DAY;
    expect((await run()).delivered).toEqual([expect.stringContaining('newly blocked: /')]);
    expect(await getSitesSetAside()).toEqual([]);
    expect(await getEvents(hostile.origin)).toEqual(['first', 'set-aside', 'root-blocked']);
  });

  test('is set aside again after one attempt if the analysis of the new file does not complete either', async () => {
    await setHostileAside(`# never-ends\n${OPEN}`);
    files.hostile = `# never-ends either\n${OPEN}`;
    now += 1.1 * DAY;
    await run();
    expect(await getEvents(hostile.origin)).toEqual(['first', 'set-aside', 'set-aside']);
    expect(await getSitesSetAside()).toEqual([hostile.origin]);
  });

  test.each<[string, (repository: SiteRepository) => Promise<unknown>]>([
    ['watch check', (repository: SiteRepository) => repository.recheckSites([hostile.origin], now)],
    [
      'new settings',
      (repository: SiteRepository) =>
        repository.addSites([hostile.origin], { every: HOUR, confirm: 0, agents: [], notify: [] }, () => now),
    ],
  ])(
    'is released by %s',
    async (_how, release) => {
      await setHostileAside(`# never-ends\n${OPEN}`);
      await withRepository(release);
      expect(await getSitesSetAside()).toEqual([]);
      // The real analysis completes.
      expect((await run({ file: REAL })).errors).toEqual([]);
      expect(await getEvents(hostile.origin)).toEqual(['first', 'set-aside', 'formatting']);
    },
    60_000,
  );
});

test('a file of 280 bytes of comments is analysed', async () => {
  await watchBoth();
  await run();
  files.hostile = `${'<!---->'.repeat(40)}User-agent: *\n`;
  now += 2 * HOUR;
  expect((await run({ file: REAL })).errors).toEqual([]);
  expect(await getEvents(hostile.origin)).toEqual(['first', 'no-text']);
});
