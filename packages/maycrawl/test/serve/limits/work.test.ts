import { GOOGLE } from '@maycrawl/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TimeSlices } from '../../../../client/src/event-loop/time-slice.ts';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { MemoryStore } from '../../../src/index.ts';
import { Agents } from '../../../src/serve/decide/agents.ts';
import type { DecideResult, DecideTask } from '../../../src/serve/decide/decide-worker.ts';
import { Decider, type DeciderOptions } from '../../../src/serve/decide/decider.ts';
import { Clients } from '../../../src/serve/limits/clients.ts';
import { LIMITS } from '../../../src/serve/limits/limits.ts';
import { Work } from '../../../src/serve/limits/work.ts';

/** Rules that are only evaluated in a thread. */
const LARGE = `User-agent: *\n${'Disallow: /a*b\n'.repeat(10_000)}`;
/** A large file for a decision, and a small one for a thread. */
const MEDIUM = `User-agent: *\n${'Disallow: /a*b\n'.repeat(1_000)}`;
const NAMED = `${MEDIUM}User-agent: Named\nDisallow: /\n`;

let sites: Readonly<Record<'large' | 'medium' | 'named', TestServer>>;
beforeAll(async () => {
  const [large, medium, named] = await Promise.all(
    [LARGE, MEDIUM, NAMED].map((file, index) =>
      serve((_request, response) => response.end(file), `127.0.0.${index + 2}`),
    ),
  );
  sites = { large, medium, named } as typeof sites;
});
afterAll(async () => {
  for (const site of Object.values(sites)) await site.close();
});

const agents = new Agents(LIMITS);

function createDecider(options: Partial<DeciderOptions> = {}): Decider {
  return new Decider({
    store: new MemoryStore(),
    userAgent: 'test',
    allowPrivateAddresses: true,
    ...options,
  });
}

/** Work by a clock on which each expensive computation takes a second. */
function createWork(clientWorkTime = Number.POSITIVE_INFINITY, signal = new AbortController().signal): Work {
  let now = 0;
  const clients = new Clients({ limits: { ...LIMITS, clientWorkTime }, now: () => now });
  const client = clients.get('192.0.2.1');
  const { compute } = client;
  vi.spyOn(client, 'compute').mockImplementation((run) =>
    compute.call(client, () => {
      now += 1_000;
      return run();
    }),
  );
  return new Work(client, signal);
}

/** @returns the parsed answers to questions. */
async function decideAll(
  decider: Decider,
  questions: readonly { readonly url: string; readonly agent: string }[],
  work: Work,
): Promise<
  { readonly allowed: boolean | null; readonly agent: string; readonly error?: { readonly code: string } }[]
> {
  const answers: string[] = [];
  const named = questions.map(({ url, agent }) => ({ url, agent: agents.resolve(agent) }));
  for await (const piece of decider.decideAll(named, GOOGLE, work)) answers.push(...piece);
  return answers.map((answer) => JSON.parse(answer));
}

describe('work', () => {
  test('crawlers without a group of their own share one compiled ruleset', async () => {
    const { origin } = sites.medium;
    const work = createWork();
    const names = Array.from(
      { length: 500 },
      (_, index) => `Bot-${'abcdefghij'[index % 10]}${'-'.repeat(index / 10)}`,
    );
    const answers = await decideAll(
      createDecider(),
      names.map((agent) => ({ url: `${origin}/x`, agent })),
      work,
    );
    expect(answers.map(({ agent }) => agent)).toEqual(names);
    expect(work.client.compute).toHaveBeenCalledOnce();
  });

  test('a client without time left gets cheap decisions, and errors for the others', async () => {
    const { origin } = sites.named;
    // Enough for the rules of one crawler.
    const work = createWork(1_000);
    const answers = await decideAll(
      createDecider(),
      ['x', 'y', 'Named', 'x'].map((agent) => ({ url: `${origin}/x`, agent })),
      work,
    );
    expect(answers.map(({ allowed, error }) => error?.code ?? allowed)).toEqual([
      true,
      true,
      'rate-limited',
      true,
    ]);
  });

  test('long URLs against many rules with wildcards count', async () => {
    const { origin } = sites.medium;
    const decider = createDecider();
    const work = createWork(2_000);
    const url = `${origin}/${'x'.repeat(2_000)}`;
    const answers = await decideAll(
      decider,
      Array.from({ length: 4 }, () => ({ url, agent: 'x' })),
      work,
    );
    expect(answers.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      null,
      'rate-limited',
      'rate-limited',
    ]);
  });

  test('the requests of a client share its work of a minute, and another client has its own', async () => {
    const { origin } = sites.named;
    const limits = { ...LIMITS, clientWorkTime: 1e-9 };
    let now = 0;
    // Time passes between two readings of the clock.
    const clients = new Clients({ limits, now: () => (now += 0.001) });
    const { signal } = new AbortController();
    const decider = createDecider();
    const decide = (address: string, agent: string): Promise<string> =>
      decider.decide(
        { url: `${origin}/x`, agent: agents.resolve(agent) },
        GOOGLE,
        new Work(clients.get(address), signal),
      );
    await decide('192.0.2.1', 'x');
    await expect(decide('192.0.2.1', 'Named')).rejects.toMatchObject({ code: 'rate-limited' });
    now += 60_000;
    expect(JSON.parse(await decide('192.0.2.2', 'Named'))).toMatchObject({ allowed: false });
  });
});

describe('the event loop', () => {
  test('a thread decides with large files and about expensive URLs', async () => {
    const tasks: DecideTask[] = [];
    const runInThread = async (task: DecideTask): Promise<DecideResult> => {
      tasks.push(task);
      return {
        results: [{ code: 'stand-in', message: '' }],
        indexes: task.urls.map(() => 0),
        compiled: false,
        time: 0,
      };
    };
    const decider = createDecider({ runInThread });
    const long = `/${'x'.repeat(3_000)}`;
    const urls = [
      `${sites.medium.origin}/x`,
      `${sites.large.origin}/1`,
      `${sites.large.origin}/2`,
      `${sites.medium.origin}${long}`,
    ];
    const answers = await decideAll(
      decider,
      urls.map((url) => ({ url, agent: 'x' })),
      createWork(),
    );
    expect(answers.map(({ error }) => error?.code ?? 'here')).toEqual([
      'here',
      'stand-in',
      'stand-in',
      'stand-in',
    ]);
    // Questions with the same file are one task.
    expect(tasks.map((task) => task.urls)).toEqual([urls.slice(1, 3), urls.slice(3)]);
    expect(Buffer.from(tasks[0]?.bytes ?? []).toString()).toBe(LARGE);
  });

  test('a decision without a promise needs neither a thread nor compilation', async () => {
    const runInThread = (): Promise<DecideResult> => Promise.reject(new Error('not here'));
    const decider = createDecider({ runInThread });
    const decideNow = (origin: string, path: string): string | undefined =>
      decider.decideIfCheap({ url: origin + path, agent: agents.resolve('x') }, GOOGLE);
    for (const { origin } of Object.values(sites)) await decider.getState(origin, GOOGLE, createWork());
    const { medium, large } = sites;
    expect(decideNow(medium.origin, '/x')).toBeUndefined();
    await decider.decide({ url: `${medium.origin}/`, agent: agents.resolve('x') }, GOOGLE, createWork());
    expect(decideNow(medium.origin, '/x')).toContain('"allowed":true');
    expect(decideNow(medium.origin, `/${'x'.repeat(500)}`)).toBeUndefined();
    expect(decideNow(large.origin, '/x')).toBeUndefined();
  });

  test.each([
    ['answers', (origin: string) => `${origin}/x`],
    ['questions with an invalid URL', () => 'no URL'],
  ])(
    'is not blocked by %s, and the work ends when the client closes its connection',
    async (_name, getUrl) => {
      let time = 0;
      const slices = new TimeSlices({ now: () => (time += 1) });
      const decider = createDecider({ slices });
      const { origin } = sites.medium;
      await decider.getState(origin, GOOGLE, createWork());
      const questions = Array.from({ length: 1_000 }, () => ({ url: getUrl(origin), agent: 'x' }));
      await decideAll(decider, questions, createWork());
      expect(slices.count).toBeGreaterThan(100);
      const controller = new AbortController();
      const answers = decideAll(decider, questions, createWork(undefined, controller.signal));
      setImmediate(() => controller.abort(new Error('the client is gone')));
      await expect(answers).rejects.toThrow('the client is gone');
    },
  );

  test('is not blocked by sites whose results need no I/O', async () => {
    let time = 0;
    const slices = new TimeSlices({ now: () => (time += 1) });
    const decider = createDecider({ slices, allowPrivateAddresses: false });
    const questions = Array.from({ length: 500 }, (_, index) => ({
      url: `http://10.0.0.1:${10_000 + index}/`,
      agent: agents.resolve('x'),
    }));
    await decider.fetchAll(questions, GOOGLE, createWork());
    // Each reading of the clock is a check, including those of the preceding loop over the questions.
    expect(slices.count).toBeGreaterThan(80);
  });
});
