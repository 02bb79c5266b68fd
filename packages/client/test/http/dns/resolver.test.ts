import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createResolver, type Resolver, type ResolverOptions } from '../../../src/http/dns/resolver.ts';
import { listCandidates, parseSearchList } from '../../../src/http/dns/system-names.ts';
import { RobotsClient } from '../../../src/origins/client/client.ts';
import { fetchRobotsTxt } from '../../../src/robots/fetch.ts';
import { closeAtEnd } from '../../support/close-at-end.ts';
import { type DnsAnswer, NO_SUCH_NAME, startNameServer } from '../../support/dns.ts';
import { serve } from '../../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-resolver-'));
afterAll(() => rmSync(folder, { recursive: true }));
const NONE = join(folder, 'none');

/** A resolver that uses a name server of this test. */
async function resolverOf(
  respond: Parameters<typeof startNameServer>[0],
  options: ResolverOptions = {},
): Promise<{ readonly resolver: Resolver; readonly queries: string[] }> {
  const server = await closeAtEnd(startNameServer(respond));
  const resolver = createResolver({ servers: [server.server], hostsPath: NONE, ...options });
  return { resolver, queries: server.queries };
}

/** A clock that is set by hand. */
function createClock(): { (): number; advance(milliseconds: number): void } {
  let now = 1_000_000;
  return Object.assign(() => now, {
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  });
}

describe('the addresses of a name', () => {
  test.each<[string, DnsAnswer, string[] | string]>([
    ['IPv4', { addresses: ['192.0.2.1'] }, ['192.0.2.1']],
    ['IPv6', { addresses: ['2001:db8::1'] }, ['2001:db8::1']],
    [
      'both',
      { addresses: ['2001:db8::1', '192.0.2.1', '192.0.2.2'] },
      ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    ],
    ['behind aliases', { aliases: ['a.test', 'b.test'], addresses: ['192.0.2.1'] }, ['192.0.2.1']],
    ['by TCP', { isTruncated: true, addresses: ['192.0.2.1'] }, ['192.0.2.1']],
    ['no such name', NO_SUCH_NAME, 'ENOTFOUND'],
    ['no addresses', {}, 'ENOTFOUND'],
    ['an alias to nothing', { aliases: ['a.test'] }, 'ENOTFOUND'],
    ['SERVFAIL', { code: 2 }, 'ESERVFAIL'],
  ])('%s', async (_name, answer, expected) => {
    const { resolver } = await resolverOf(() => answer);
    const resolving = resolver.resolve('site.test');
    if (typeof expected === 'string') await expect(resolving).rejects.toMatchObject({ code: expected });
    else expect(await resolving).toEqual(expected);
  });

  test('are bounded', async () => {
    const addresses = Array.from({ length: 1_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const { resolver } = await resolverOf(() => ({ isTruncated: true, addresses }));
    expect(await resolver.resolve('site.test')).toHaveLength(32);
  });

  test('of one family do not wait for a name server that is silent about the other', async () => {
    const { resolver } = await resolverOf((_, type) => (type === 'A' ? { addresses: ['192.0.2.1'] } : null));
    expect(await resolver.resolve('site.test')).toEqual(['192.0.2.1']);
    const six = await resolverOf((_, type) => (type === 'A' ? { code: 2 } : { addresses: ['2001:db8::1'] }));
    expect(await six.resolver.resolve('site.test')).toEqual(['2001:db8::1']);
  });

  test.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['::1', ['::1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['LOCALHOST.', ['127.0.0.1', '::1']],
    ['a.b.localhost', ['127.0.0.1', '::1']],
  ])('%s needs no name server', async (name, addresses) => {
    const { resolver, queries } = await resolverOf(() => ({ addresses: ['192.0.2.1'] }));
    expect(await resolver.resolve(name)).toEqual(addresses);
    expect(queries).toEqual([]);
  });

  test.each(['x.invalid', 'invalid', 'abc.onion'])('%s is nowhere', async (name) => {
    const { resolver, queries } = await resolverOf(() => ({ addresses: ['192.0.2.1'] }));
    await expect(resolver.resolve(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(queries).toEqual([]);
  });
});

test('the hosts file comes first, and is read again when it changes', async () => {
  const hostsPath = join(folder, 'hosts');
  writeFileSync(hostsPath, '192.0.2.1\tSite.test db # comment\n2001:db8::1 site.test\nnonsense site.test\n');
  const clock = createClock();
  const { resolver, queries } = await resolverOf(() => NO_SUCH_NAME, { hostsPath, now: clock });
  expect(await resolver.resolve('site.test')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await resolver.resolve('site.test.')).toEqual(['192.0.2.1', '2001:db8::1']);
  expect(await resolver.resolve('db')).toEqual(['192.0.2.1']);
  writeFileSync(hostsPath, '192.0.2.2 site.test\n');
  utimesSync(hostsPath, 1, 1);
  clock.advance(2_000);
  expect(await resolver.resolve('site.test')).toEqual(['192.0.2.2']);
  expect(queries).toEqual([]);
  await expect(resolver.resolve('db')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  rmSync(hostsPath);
  clock.advance(2_000);
  await expect(resolver.resolve('site.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

describe('the search list', () => {
  const list = { domains: ['a.test', 'b.test'], minDots: 2 };
  test.each([
    ['db', ['db.a.test', 'db.b.test', 'db']],
    ['x.ns', ['x.ns', 'x.ns.a.test', 'x.ns.b.test']],
    ['x.example.com', ['x.example.com']],
  ])('%s', (name, candidates) => expect(listCandidates(name, list)).toEqual(candidates));

  test('is read from resolv.conf', () => {
    const text =
      'nameserver 192.0.2.53\ndomain one.test\nsearch a.test. b.test\noptions rotate ndots:5 timeout:1\n';
    expect(parseSearchList(text)).toEqual({ domains: ['a.test', 'b.test'], minDots: 5 });
    expect(parseSearchList('')).toEqual({ domains: [], minDots: 1 });
  });

  test('gives names of the local network their addresses, unless a dot ends them', async () => {
    const searchPath = join(folder, 'resolv.conf');
    writeFileSync(searchPath, 'search none.test local.test\n');
    const { resolver } = await resolverOf(
      (name) => (name === 'db.local.test' ? { addresses: ['192.0.2.1'] } : NO_SUCH_NAME),
      { searchPath },
    );
    expect(await resolver.resolve('db')).toEqual(['192.0.2.1']);
    await expect(resolver.resolve('db.')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('does not continue after a failure, which could give the address of another host', async () => {
    const searchPath = join(folder, 'resolv-2.conf');
    writeFileSync(searchPath, 'search broken.test local.test\n');
    const { resolver } = await resolverOf(
      (name) => (name.endsWith('broken.test') ? { code: 2 } : { addresses: ['192.0.2.1'] }),
      { searchPath },
    );
    await expect(resolver.resolve('db')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });
});

describe('the cache', () => {
  test.each<[string, DnsAnswer, number, number]>([
    ['as long as the record says', { addresses: ['192.0.2.1'], ttl: 60 }, 59_999, 60_001],
    ['at least 5 s', { addresses: ['192.0.2.1'], ttl: 0 }, 4_999, 5_001],
    ['at most 5 min', { addresses: ['192.0.2.1'], ttl: 86_400 }, 299_999, 300_001],
    ['names that do not exist 5 s', NO_SUCH_NAME, 4_999, 5_001],
  ])('keeps %s', async (_name, answer, fresh, stale) => {
    const clock = createClock();
    const { resolver, queries } = await resolverOf(() => answer, { now: clock });
    const resolve = (): Promise<unknown> => resolver.resolve('site.test').catch(() => {});
    await resolve();
    const count = queries.length;
    clock.advance(fresh);
    await resolve();
    expect(queries.length).toBe(count);
    clock.advance(stale - fresh);
    await resolve();
    expect(queries.length).toBeGreaterThan(count);
  });

  test('keeps no failure of a name server', async () => {
    let answer: DnsAnswer = { code: 2 };
    const { resolver } = await resolverOf(() => answer);
    await expect(resolver.resolve('site.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    answer = { addresses: ['192.0.2.1'] };
    expect(await resolver.resolve('site.test')).toEqual(['192.0.2.1']);
  });
});

describe('callers', () => {
  test('share one query, which ends when no caller waits any more', async () => {
    const { resolver, queries } = await resolverOf(() => null);
    const [first, second] = [new AbortController(), new AbortController()];
    const resolving = [first, second].map(({ signal }) => resolver.resolve('site.test', { signal }));
    await expect.poll(() => queries.includes('AAAA site.test')).toBe(true);
    const reason = new Error('no more');
    first.abort(reason);
    // The name server has not responded to anything, so nothing is known about the name.
    await expect(resolving[0]).rejects.toMatchObject({ code: 'name-server-unreachable', cause: reason });
    second.abort(reason);
    await expect(resolving[1]).rejects.toMatchObject({ code: 'name-server-unreachable' });
    expect(queries.filter((each) => each === 'A site.test')).toHaveLength(1);
  });

  test('that give up end the query: it is not sent again', async () => {
    const server = await closeAtEnd(startNameServer(() => null));
    const script = fileURLToPath(new URL('../../support/cancelled-query.mjs', import.meta.url));
    const [code] = await once(spawn(process.execPath, [script, server.server], { stdio: 'inherit' }), 'exit');
    expect(code).toBe(0);
    // As long as it is under way, c-ares sends it again after a while, and keeps the process alive.
    for (const each of ['A site.test', 'AAAA site.test'])
      expect(server.queries.filter((query) => query === each).length).toBeLessThanOrEqual(1);
  });

  test('start when the query is sent', async () => {
    const { resolver } = await resolverOf(() => ({ addresses: ['192.0.2.1'] }));
    const seen: string[] = [];
    const options = { onQueue: () => seen.push('queue'), onSend: () => seen.push('send') };
    await resolver.resolve('site.test', options);
    await resolver.resolve('site.test', options);
    expect(seen).toEqual(['queue', 'send']);
  });
});

describe('a name server', () => {
  const isRoot = (name: string): boolean => name === '';

  test('that responds to nothing is a failure of this machine', async () => {
    const { resolver } = await resolverOf(() => null);
    const fetching = fetchRobotsTxt('http://site.test/robots.txt', {
      resolver,
      deadlines: { lookup: 1_000 },
    });
    await expect(fetching).rejects.toMatchObject({ code: 'name-server-unreachable' });
  });

  test('that is not there is a failure of this machine', async () => {
    const server = await startNameServer(() => null);
    await server.close();
    const resolver = createResolver({ servers: [server.server], hostsPath: NONE });
    const fetching = fetchRobotsTxt('http://site.test/robots.txt', { resolver });
    await expect(fetching).rejects.toMatchObject({ code: 'name-server-unreachable' });
  });

  test('that refuses is a failure of this machine', async () => {
    const { resolver } = await resolverOf(() => ({ code: 5 }));
    const fetching = fetchRobotsTxt('http://site.test/robots.txt', { resolver });
    await expect(fetching).rejects.toMatchObject({ code: 'name-server-unreachable' });
  });

  test.each<[string, string]>([
    ['that has answered another name', 'good.test'],
    ['that answers the root', ''],
  ])('%s, but refuses one, is an outage of the refused name', async (_name, answered) => {
    const { resolver } = await resolverOf((name) =>
      name === answered ? { addresses: ['192.0.2.1'] } : { code: 5 },
    );
    if (answered !== '') expect(await resolver.resolve(answered)).toEqual(['192.0.2.1']);
    const result = await fetchRobotsTxt('http://site.test/robots.txt', { resolver });
    expect(result).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('EREFUSED') });
  });

  test('that refuses a name is not known to answer others when its last answer is old', async () => {
    const now = createClock();
    const { resolver } = await resolverOf(
      (name) => (name === 'good.test' ? { addresses: ['192.0.2.1'] } : { code: 5 }),
      { now },
    );
    await resolver.resolve('good.test');
    now.advance(300_001);
    await expect(resolver.resolve('site.test')).rejects.toMatchObject({ code: 'name-server-unreachable' });
  });

  test('that responds, but not about a name, is an outage of that name', async () => {
    const { resolver, queries } = await resolverOf((name) => (isRoot(name) ? NO_SUCH_NAME : null));
    const result = await fetchRobotsTxt('http://site.test/robots.txt', {
      resolver,
      deadlines: { lookup: 1_000 },
    });
    expect(result).toMatchObject({
      kind: 'unreachable',
      code: 'timeout',
      message: 'no address of the host within 1000 ms',
    });
    expect(queries).toContain('NS ');
  });
});

describe('names whose name servers never answer', () => {
  test.each([16, 200])('%d of them do not make other sites unreachable', async (count) => {
    const site = await closeAtEnd(serve((_request, response) => response.end('User-agent: *\nDisallow: /x')));
    const { port } = new URL(site.origin);
    const { resolver, queries } = await resolverOf((name) => {
      if (name.startsWith('good')) return { addresses: ['127.0.0.1'] };
      return name.startsWith('slow') ? null : NO_SUCH_NAME;
    });
    const end = new AbortController();
    const slow = Array.from({ length: count }, (_, index) =>
      fetchRobotsTxt(`http://slow.z${index}.test:${port}/robots.txt`, { resolver, signal: end.signal }),
    );
    const isOver = Promise.allSettled(slow);
    await expect
      .poll(() => queries.filter((each) => each.includes('slow')).length)
      .toBeGreaterThan(count / 2);
    const client = new RobotsClient({
      ...{ agent: 'test', userAgent: 'test' },
      fetcher: (url, validators, options) =>
        import('../../../src/robots/fetch.ts').then(({ refetchRobotsTxt }) =>
          refetchRobotsTxt(url, validators, { ...options, resolver }),
        ),
    });
    const urls = Array.from({ length: 8 }, (_, index) => `http://good.y${index}.test:${port}/x`);
    const verdicts = await Promise.all(urls.map((url) => client.decide(url)));
    // While the others still wait.
    expect(verdicts.map((each) => each.kind)).toEqual(urls.map(() => 'disallowed'));
    expect(verdicts.every((each) => 'reason' in each && each.reason === 'rule')).toBe(true);
    end.abort(new Error('enough'));
    expect((await isOver).every(({ status }) => status === 'rejected')).toBe(true);
  });

  test('more than there are places: the others get their turn, and the wait is no outage', async () => {
    const { resolver } = await resolverOf(
      (name) => (name.startsWith('slow') ? null : name === '' ? NO_SUCH_NAME : { addresses: ['127.0.0.1'] }),
      { limits: { prompt: 2, total: 1_000, perGroup: 2, slowAfter: 20 } },
    );
    const end = new AbortController();
    const slow = Array.from({ length: 40 }, (_, index) =>
      resolver.resolve(`slow.z${index}.test`, { signal: end.signal }),
    );
    const isOver = Promise.allSettled(slow);
    const site = await closeAtEnd(serve((_request, response) => response.end('x')));
    const url = `http://good.test:${new URL(site.origin).port}/robots.txt`;
    // The time in the queue is longer than the deadlines.
    const result = await fetchRobotsTxt(url, { resolver, timeout: 300, deadlines: { lookup: 300 } });
    expect(result.kind).toBe('successful');
    end.abort(new Error('enough'));
    await isOver;
  });

  test('of one domain do not take the places of others', async () => {
    const { resolver } = await resolverOf(
      (name) =>
        name.endsWith('slow.test') ? null : name === '' ? NO_SUCH_NAME : { addresses: ['127.0.0.1'] },
      { limits: { prompt: 4, total: 4, perGroup: 2, slowAfter: 60_000 } },
    );
    const end = new AbortController();
    const isOver = Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        resolver.resolve(`x${index}.slow.test`, { signal: end.signal }),
      ),
    );
    expect(await resolver.resolve('good.other.test')).toEqual(['127.0.0.1']);
    end.abort(new Error('enough'));
    await isOver;
  });

  test('too many of them are a failure of this machine, and not of the name that is refused', async () => {
    const { resolver } = await resolverOf(() => null, {
      limits: { prompt: 1, total: 1, waiting: 1, maxWait: 50 },
    });
    const end = new AbortController();
    const isOver = Promise.allSettled(
      ['a.test', 'b.test'].map((name) => resolver.resolve(name, { signal: end.signal })),
    );
    await expect(resolver.resolve('c.test')).rejects.toMatchObject({ code: 'resolver-overloaded' });
    end.abort(new Error('enough'));
    const [, second] = await isOver;
    expect(second).toMatchObject({ status: 'rejected' });
  });
});
