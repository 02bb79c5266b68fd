import { expect, test } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import type { Fetcher } from '../../src/origins/fetch-origin.ts';
import { ForbiddenUrlError } from '../../src/origins/refusal.ts';
import { isTemporaryRefusal, PaceError } from '../../src/pace/pace-error.ts';
import type { FetchResult } from '../../src/robots/fetch-result.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const URL_ = 'https://site.example/private/x';

interface World {
  readonly client: RobotsClient;
  result: Partial<FetchResult>;
  now: number;
}

/** A client whose fetches have the result and the time of the world. */
function newWorld(result: Partial<FetchResult>, options: Partial<ClientOptions> = {}): World {
  const fetcher: Fetcher = async (url) =>
    ({ headers: null, hops: [{ url, status: 200 }], timings: { total: 1 }, ...world.result }) as FetchResult;
  const client = new RobotsClient({
    agent: 'TestBot',
    userAgent: 'TestBot/1.0',
    fetcher,
    now: () => world.now,
    ...options,
  });
  const world: World = { client, result, now: START };
  return world;
}

const FILE = {
  kind: 'successful',
  bytes: new TextEncoder().encode('User-agent: *\nDisallow: /private\n'),
} as const;
const UNAVAILABLE_503 = {
  kind: 'unreachable',
  code: 'http-status',
  message: 'status 503',
  hops: [{ url: 'https://site.example/robots.txt', status: 503 }],
} as const;

/** Returns the error that adapters throw for a URL. */
async function getError({ client }: World): Promise<ForbiddenUrlError> {
  const verdict = await client.decide(URL_);
  if (verdict.kind === 'allowed') throw new Error('allowed');
  return new ForbiddenUrlError(URL_, verdict);
}

test('a rule is a final refusal, with its line', async () => {
  const world = newWorld(FILE);
  const facts = { code: 'disallowed', temporary: false, retryAt: null, cause: null, line: 2 };
  expect(await world.client.decide(URL_)).toMatchObject({ kind: 'disallowed', ...facts });
  const error = await getError(world);
  expect(error).toMatchObject({ ...facts, url: URL_, name: 'ForbiddenUrlError' });
  expect(error.rule?.text).toBe('/private');
  expect(error.message).toBe(
    `${URL_} is forbidden: Disallowed. No group names this crawler, so the group for * applies. ` +
      'Line 2, "Disallow: /private", is the longest matching rule.',
  );
});

test('an outage is a temporary refusal until the next fetch of robots.txt, and its error names the cause', async () => {
  const world = newWorld(UNAVAILABLE_503);
  const verdict = await world.client.decide(URL_);
  const { refreshAt } = await world.client.robots(URL_);
  expect(verdict).toMatchObject({ code: 'robots-unreachable', temporary: true, retryAt: refreshAt });
  expect(refreshAt).toBeGreaterThan(START);
  const error = await getError(world);
  expect(error).toMatchObject({
    ...{ code: 'robots-unreachable', temporary: true, retryAt: refreshAt, line: 0, rule: null },
    cause: { code: 'http-status', status: 503, message: 'status 503', since: START },
  });
  expect(error.message).toBe(
    `${URL_} is forbidden for now: robots.txt is unreachable since 2026-01-01T00:00:00.000Z (status 503). ` +
      `All URLs are disallowed. The client fetches it again at ${new Date(refreshAt).toISOString()}.`,
  );
});

test('at retryAt the client fetches robots.txt again, and the URL is decided by its rules', async () => {
  const world = newWorld(UNAVAILABLE_503);
  const first = await world.client.decide('https://site.example/open');
  world.result = FILE;
  if (first.kind !== 'disallowed' || first.retryAt === null) throw new Error('not temporary');
  world.now = first.retryAt - 1;
  expect(await world.client.decide('https://site.example/open')).toMatchObject({ temporary: true });
  world.now = first.retryAt;
  expect((await world.client.decide('https://site.example/open')).kind).toBe('allowed');
  expect(await world.client.decide(URL_)).toMatchObject({ code: 'disallowed', temporary: false });
});

test('a rule of the last good file is a final refusal, also in an outage', async () => {
  const world = newWorld(FILE);
  await world.client.decide(URL_);
  world.result = UNAVAILABLE_503;
  for (let minutes = 25 * 60; minutes <= 38 * 60; minutes += 5) {
    world.now = START + minutes * MINUTE;
    await world.client.decide(URL_);
  }
  expect(await world.client.decide(URL_)).toMatchObject({ code: 'disallowed', temporary: false, line: 2 });
});

test.each([
  ['private-address', 'not a public address: 10.0.0.1'],
  ['blocked-port', 'port 25 is blocked'],
] as const)('a request that the client refuses to send is final: %s', async (code, message) => {
  const error = await getError(newWorld({ kind: 'unreachable', code, message, hops: [] }));
  expect(error).toMatchObject({ code, temporary: false, retryAt: null, cause: { code } });
  expect(error.message).toBe(
    `${URL_} is forbidden: the client does not send the request for its robots.txt (${message}).`,
  );
});

test('a verdict that depends on whether the site is reachable is temporary', async () => {
  const world = newWorld(UNAVAILABLE_503, { isSiteReachable: () => undefined });
  await world.client.decide(URL_);
  world.now = START + 31 * DAY;
  const refused = await world.client.decide(URL_);
  expect(refused).toMatchObject({ kind: 'disallowed', temporary: true });
  expect(['robots-unknown', 'robots-unreachable']).toContain((refused as { code?: string }).code);
});

test('isTemporaryRefusal is true for an outage and for a limit of the pace, and for nothing else', async () => {
  const world = newWorld(UNAVAILABLE_503);
  const catchError = (): Promise<unknown> => world.client.pace(URL_, () => {}).catch((error) => error);
  const outage = await catchError();
  world.result = FILE;
  world.now += DAY;
  const rule = await catchError();
  expect(rule).toMatchObject({ code: 'disallowed' });
  const pace = new PaceError('max-wait', 'waits', 'https://site.example', START);
  const others = [rule, new Error('x'), null, undefined, 'x', { temporary: true, retryAt: 1 }];
  expect([outage, pace, ...others].map(isTemporaryRefusal)).toEqual([true, true, ...others.map(() => false)]);
});

test('verdicts of many URLs have the same facts', async () => {
  const { client } = newWorld(UNAVAILABLE_503);
  const codes: unknown[] = [];
  for await (const each of client.decideAll([URL_, 'https://other.example/'])) {
    if (!('verdict' in each)) throw each.error;
    codes.push('code' in each.verdict && each.verdict.code);
  }
  expect(codes).toEqual(['robots-unreachable', 'robots-unreachable']);
});

test('verdicts of other deciders without these facts have a code, too', () => {
  const error = new ForbiddenUrlError('https://a.example/', {
    ...{ kind: 'out-of-scope', reason: 'other-origin', url: 'https://a.example/' },
  });
  expect(error).toMatchObject({
    code: 'out-of-scope',
    temporary: false,
    retryAt: null,
    cause: null,
    line: 0,
  });
});

test('a message is one line, whatever the server sent', async () => {
  const error = await getError(newWorld({ ...UNAVAILABLE_503, message: 'a\nb\u2028c\u001b[31m' }));
  expect(error.message).not.toMatch(/[\p{Cc}\p{Zl}]/u);
});
