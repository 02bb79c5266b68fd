import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, startPostgres, type TestDatabase } from '../../../client/test/support/postgres.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import { openPostgresRun } from '../../src/audit/run/postgres/open-postgres-run.ts';
import type { PostgresRun } from '../../src/audit/run/postgres/postgres-run.ts';
import { FOLLOWED, LINK_TYPES, packLinks, unpackLinks } from '../../src/audit/run/records/link-list.ts';
import { readTextId, visitResources } from '../../src/audit/run/records/page-lists.ts';
import { hashUrl, KEYS, nextKey } from '../../src/audit/run/records/url-key.ts';
import type { Classify, NamedUrl, RunStore, StoredFacts, Visit } from '../../src/audit/run/run-store.ts';
import { getHost } from '../../src/audit/run/run-store.ts';

const programs = await findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-runs-'));
let database: TestDatabase | undefined;
beforeAll(async () => {
  if (programs !== undefined) database = await startPostgres(programs);
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true });
});

const FACTS: StoredFacts = {
  ...{ status: 200, type: 'text/html', location: null, base: 'http://a/', title: 'T\0', robots: [] },
  ...{ canonicals: [], alternates: [], seriesLinks: [], refresh: null, isTruncated: false },
};
const wait: Classify = (url) =>
  url.startsWith('http://out/')
    ? { state: 'outside' }
    : url.includes('?')
      ? { state: 'waiting', shape: { name: url.split('?')[0] as string, limit: 2 } }
      : { state: 'waiting' };

function createVisit(key: number, depth: number | null, named: readonly NamedUrl[]): Visit {
  const outcome = { kind: 'page', facts: FACTS, digest: 'd' } as const;
  return {
    kind: 'fetched',
    page: { key, at: 1, milliseconds: 2.5, bytes: 3, outcome },
    depth,
    hops: 0,
    named,
  };
}

let count = 0;
const stores: [string, () => Promise<RunStore>][] = [
  ['SQLite', () => openRun(join(folder, `${++count}.sqlite`), 'new')],
  [
    'PostgreSQL',
    async () => openPostgresRun(await (database as TestDatabase).create(`run${++count}`), 'r', 'join'),
  ],
];

describe.each(stores)('a run in %s', (name, open) => {
  test.skipIf(name === 'PostgreSQL' && programs === undefined)(
    'a fact is set once by setIfAbsent',
    async () => {
      const run = await open();
      expect([await run.setIfAbsent('once', null), await run.setIfAbsent('once', 1)]).toEqual([true, false]);
      expect(await run.get('once')).toBeNull();
      await run.close();
    },
  );

  test.skipIf(name === 'PostgreSQL' && programs === undefined)(
    'discovered URLs wait, and fetched pages add their links',
    async () => {
      const run = await open();
      await run.addStarts(['http://a/', 'http://a/', 'http://b:81/'], wait);
      expect((await run.hosts.claim(10, 0)).sort()).toEqual(['a', 'b:81']);
      const [start] = await run.waiting('a', 10, new Set());
      expect(start).toMatchObject({ url: 'http://a/', depth: 0, tries: 0 });
      const key = start?.key as number;
      expect(await run.waiting('a', 10, new Set([key]))).toEqual([]);
      const named = [
        { url: 'http://a/1', types: LINK_TYPES.link },
        { url: 'http://a/', types: LINK_TYPES.link | LINK_TYPES.canonical },
        { url: 'http://out/', types: LINK_TYPES.nofollow },
      ];
      await run.record([createVisit(key, 0, named)], wait);
      expect(await run.counts()).toMatchObject({ waiting: 2, fetched: 1, outside: 1 });
      const links = await run.links(key);
      expect(
        await Promise.all(links.map(async (link) => [(await run.url(link.key))?.url, link.types])),
      ).toEqual([
        ['http://a/1', LINK_TYPES.link],
        ['http://a/', LINK_TYPES.link | LINK_TYPES.canonical],
        ['http://out/', LINK_TYPES.nofollow],
      ]);
      const [next] = await run.waiting('a', 10, new Set());
      expect(next).toMatchObject({ url: 'http://a/1', depth: 1 });
      await run.record([{ kind: 'again', key: next?.key as number }], wait);
      expect(await run.waiting('a', 10, new Set())).toMatchObject([{ url: 'http://a/1', tries: 1 }]);
      await run.record([{ kind: 'blocked', key: next?.key as number }], wait);
      expect(await run.waiting('a', 10, new Set())).toEqual([]);
      expect(await run.counts()).toMatchObject({ waiting: 1, fetched: 1, outside: 1, blocked: 1 });
      expect(await run.page(key)).toMatchObject({
        milliseconds: 2.5,
        outcome: { kind: 'page', digest: 'd' },
      });
      expect(await run.findKey('http://a/1')).toBe(next?.key);
      expect(await run.findKey('http://a/2')).toBeUndefined();
      await run.close();
    },
  );

  test.skipIf(name === 'PostgreSQL' && programs === undefined)(
    'hosts take turns, and those that do not respond are ready again after the next start',
    async () => {
      const run = await open();
      await run.addStarts(
        ['a', 'b', 'c', 'd'].map((host) => `http://${host}/`),
        wait,
      );
      const { hosts } = run;
      await hosts.start();
      expect((await hosts.claim(2, 0)).sort()).toEqual(['a', 'b']);
      expect(await hosts.release('a')).toBe(true);
      await hosts.exclude('b');
      expect((await hosts.claim(2, 0)).sort()).toEqual(['c', 'd']);
      expect(await hosts.claim(2, 0)).toEqual(['a']);
      expect(await hosts.claim(2, 0)).toEqual([]);
      expect(await hosts.count()).toEqual({ unresponsive: 1, all: 4 });
      const [{ key } = { key: -1 }] = await run.waiting('c', 1, new Set());
      await run.record([createVisit(key, 0, [{ url: 'http://b/new', types: LINK_TYPES.link }])], wait);
      expect(await hosts.release('c')).toBe(false);
      // A new URL of a host that does not respond does not make it ready.
      expect(await hosts.claim(2, 0)).toEqual([]);
      for (const host of ['d', 'a']) expect(await hosts.release(host)).toBe(true);
      await hosts.start();
      expect((await hosts.claim(1, 0)).concat(await hosts.claim(1, 0), await hosts.claim(9, 0))).toEqual([
        'b',
        'd',
        'a',
      ]);
      expect(await hosts.count()).toEqual({ unresponsive: 0, all: 4 });
      await run.close();
    },
  );

  test.skipIf(name === 'PostgreSQL' && programs === undefined)(
    'the number of waiting URLs with one shape is limited, independent of the page that names them',
    async () => {
      const run = await open();
      await run.addStarts(['http://a/'], wait);
      const key = (await run.findKey('http://a/')) as number;
      const named = [1, 2, 3, 4].map((n) => ({ url: `http://a/x?${n}`, types: LINK_TYPES.link }));
      await run.record([createVisit(key, 0, named)], wait);
      expect(await run.counts()).toMatchObject({ waiting: 2, trap: 2 });
      const all = await run.urls(-1, 100);
      expect(all.filter(({ state }) => state === 'trap').map(({ why }) => why)).toEqual([
        'more than 2 URLs like http://a/x',
        'more than 2 URLs like http://a/x',
      ]);
      await run.close();
    },
  );

  test.skipIf(name === 'PostgreSQL' && programs === undefined)(
    'a depth is the length of the shortest path, and a URL that is too deep waits after its depth decreases',
    async () => {
      const run = await open();
      await run.addStarts(['http://a/'], wait);
      // / -> /1 -> /2 -> /3; /c is named as a canonical, /4 by a sitemap alone.
      const findKey = async (path: string): Promise<number> =>
        (await run.findKey(`http://a${path}`)) as number;
      const link = (path: string, types: number = LINK_TYPES.link): NamedUrl => ({
        url: `http://a${path}`,
        types,
      });
      await run.record([createVisit(await findKey('/'), 0, [link('/1')])], wait);
      await run.record(
        [createVisit(await findKey('/1'), 1, [link('/2'), link('/c', LINK_TYPES.canonical)])],
        wait,
      );
      await run.record([createVisit(await findKey('/2'), 2, [link('/3')])], wait);
      await run.addSitemap('http://a/s.xml', 'robots.txt');
      const [sitemap] = await run.unreadSitemaps();
      await run.addEntries(sitemap?.id as number, ['http://a/4', 'http://a/4', 'http://a/1'], wait);
      await run.closeSitemap(sitemap?.id as number, 3, null);
      await run.settleDepths();
      const depths = async (): Promise<object> =>
        Object.fromEntries((await run.urls(-1, 100)).map(({ url, depth }) => [url.slice(8), depth]));
      expect(await depths()).toEqual({ '/': 0, '/1': 1, '/2': 2, '/3': 3, '/c': null, '/4': null });
      expect(await run.limitDepth(2)).toBe(1);
      expect((await run.url(await findKey('/3')))?.state).toBe('deep');
      expect((await run.url(await findKey('/4')))?.state).toBe('waiting');
      await run.record([createVisit(await findKey('/4'), null, [])], wait);
      // /3 is no longer too deep.
      expect(await run.limitDepth(3)).toBe(1);
      expect(await run.findSitemaps(await findKey('/4'))).toEqual([sitemap?.id]);
      expect(await run.sitemaps()).toMatchObject([{ url: 'http://a/s.xml', entries: 3, problem: null }]);
      await run.close();
    },
  );

  test.skipIf(name === 'PostgreSQL' && programs === undefined)('stores settings and files', async () => {
    const run = await open();
    expect(await run.get('x')).toBeUndefined();
    await run.set('x', { a: [1] });
    await run.set('x', { a: [2] });
    expect(await run.get('x')).toEqual({ a: [2] });
    const body = new Uint8Array([0, 255]);
    const policy = { kind: 'rules' } as const;
    const site = { origin: 'http://a', policy, isGiven: false, code: null, message: 'r', fetchedAt: 5, body };
    const unavailable = { kind: 'allow-all', reason: 'unavailable' } as const;
    await run.putRobots({ ...site, body: null, policy: unavailable });
    expect(await run.robots('http://a')).toMatchObject({ body: null, policy: unavailable });
    await run.putRobots(site);
    const robots = await run.robots('http://a');
    expect({ ...robots, body: new Uint8Array(robots?.body ?? []) }).toEqual(site);
    expect(await run.robots('http://b')).toBeUndefined();
    await run.close();
  });
});

test.skipIf(programs === undefined)(
  'one worker claims a host, and the claim expires when the worker dies',
  async () => {
    const url = await (database as TestDatabase).create('hosts');
    let now = 1_000_000;
    const [one, two] = [
      await openPostgresRun(url, 'r', 'join', { now: () => now }),
      await openPostgresRun(url, 'r', 'join', { now: () => now }),
    ] as [PostgresRun, PostgresRun];
    await one.addStarts(['http://a/', 'http://b/', 'http://c/'], wait);
    expect(await one.hosts.claim(2, now)).toEqual(['a', 'b']);
    expect(await two.hosts.claim(10, now)).toEqual(['c']);
    expect(await two.hosts.hasOthers()).toBe(true);
    expect((await one.waiting('a', 10, new Set())).length).toBe(1);
    now += 60_000;
    // The claim of the first worker is expired.
    expect((await two.hosts.claim(10, now)).sort()).toEqual(['a', 'b']);
    // So is that of the second one, unless it renews it.
    expect(await one.hosts.claim(10, now)).toEqual(['c']);
    expect(await one.waiting('a', 10, new Set())).toEqual([]);
    expect(await two.hosts.hasOthers()).toBe(true);
    await two.close();
    expect((await one.hosts.claim(10, now)).sort()).toEqual(['a', 'b']);
    expect(await one.hosts.hasOthers()).toBe(false);
    await one.close();
  },
);

test.skipIf(programs === undefined)('a run is copied completely into a file', async () => {
  const from = await openPostgresRun(await (database as TestDatabase).create('copied'), 'r', 'join');
  await from.addStarts(
    Array.from({ length: 2_500 }, (_, index) => `http://a/${index}`),
    wait,
  );
  const key = (await from.findKey('http://a/7')) as number;
  const named = [
    { url: 'http://out/', types: LINK_TYPES.link, text: 'Out\nAway' },
    { url: 'http://a/9', types: LINK_TYPES.redirect },
    { url: 'http://a/8', types: LINK_TYPES.link, text: '' },
  ];
  const resources = [
    { url: 'http://a/x.js', kinds: 1 },
    { url: 'http://a/x.png', kinds: 4 },
  ];
  const declarations = '{"headers":[["content-usage","train-ai=n"]]}';
  await from.record([{ ...createVisit(key, 0, named), resources, declarations } as Visit], wait);
  // Another page with the same texts, resources and declarations, which are stored once.
  const other = (await from.findKey('http://a/8')) as number;
  await from.record([{ ...createVisit(other, 0, named), resources, declarations } as Visit], wait);
  await from.set('x', 1);
  const to = await openRun(join(folder, 'copied.sqlite'), 'new', from.seed);
  await from.copyTo(to);
  expect(await to.counts()).toMatchObject({ waiting: 2_498, fetched: 2, outside: 1 });
  for (const page of [key, other]) {
    const ids = to.rows.links.readTextIds(page) as Buffer;
    const links = (await to.links(page)).map((_, index) => to.rows.links.readTexts(readTextId(ids, index)));
    expect(links).toEqual([['Out', 'Away'], [], ['']]);
  }
  const used = Array.from(to.rows.links.resourcesOfPages(), (page) => readResources(page.resources));
  expect(used).toHaveLength(2);
  expect(used[0]).toEqual(used[1]);
  expect(used[0]?.map(({ kinds }) => kinds)).toEqual([1, 4]);
  expect(to.preferences.hasDeclarations).toBe(true);
  expect(to.preferences.readDeclaration(1)).toBe(declarations);
  expect(to.preferences.readDeclaration(2)).toBe('{}');
  expect(to.findDamage()).toBeUndefined();
  expect(await to.findKey('http://a/7')).toBe(key);
  expect(await to.links(key)).toEqual(await from.links(key));
  expect(await to.page(key)).toEqual(await from.page(key));
  expect(await to.get('x')).toBe(1);
  await to.close();
  await from.close();
});

function readResources(bytes: Buffer): { id: number; kinds: number }[] {
  const resources: { id: number; kinds: number }[] = [];
  visitResources(bytes, (id, kinds) => resources.push({ id, kinds }));
  return resources;
}

test('texts with the same hash are stored separately, and again after a rollback', async () => {
  const run = await openRun(join(folder, 'texts.sqlite'), 'new', 7);
  await run.addStarts(['http://a/'], wait);
  const key = (await run.findKey('http://a/')) as number;
  run.insertRows('texts', [{ id: 1, hash: hashUrl('Two', 7), text: 'One' }]);
  const named = [{ url: 'http://a/1', types: LINK_TYPES.link, text: 'Two' }];
  const fail: Classify = () => {
    throw new Error('it fails');
  };
  const both = [
    createVisit(key, 0, [{ url: 'http://a/', types: LINK_TYPES.link, text: 'Two' }]),
    createVisit(key, 0, named),
  ];
  await expect(run.record(both, fail)).rejects.toThrow('it fails');
  await run.record([createVisit(key, 0, named)], wait);
  expect(run.rows.links.readTexts(readTextId(run.rows.links.readTextIds(key) as Buffer, 0))).toEqual(['Two']);
  await run.close();
});

test('URLs with the same hash are stored separately', async () => {
  const run = await openRun(join(folder, 'collision.sqlite'), 'new', 7);
  const hash = hashUrl('http://a/2', 7);
  run.insertRows('urls', [{ key: 1, hash, url: 'http://x/', host: 'x', state: 3, depth: 0 }]);
  await run.addStarts(['http://a/1', 'http://a/2'], wait);
  expect(await run.findKey('http://x/')).toBeUndefined();
  expect(await run.findKey('http://a/1')).toBe(2);
  expect(await run.findKey('http://a/2')).toBe(3);
  await run.close();
  expect(nextKey(KEYS - 1)).toBe(0);
});

test('a run has at most one writer', async () => {
  const path = join(folder, 'used.sqlite');
  const run = await openRun(path, 'new');
  await expect(openRun(path, 'resume')).rejects.toThrow(/in use/);
  await expect(openRun(path, 'new')).rejects.toThrow(/exists: continue it with --resume/);
  await (await openRun(path, 'read')).close();
  await run.close();
  await (await openRun(path, 'resume')).close();
  await expect(openRun(join(folder, 'none.sqlite'), 'read')).rejects.toThrow(/no run/);
});

test('a rendered nofollow link leads no crawler to its URL', () => {
  expect((LINK_TYPES.rendered | LINK_TYPES.nofollow) & FOLLOWED).toBe(0);
  expect((LINK_TYPES.rendered | LINK_TYPES.link) & FOLLOWED).not.toBe(0);
});

test('links and hosts are packed and unpacked', () => {
  const links = [
    { key: KEYS - 1, types: 127 },
    { key: 0, types: 1 },
  ];
  expect(unpackLinks(packLinks(links))).toEqual(links);
  expect(() => unpackLinks(new Uint8Array(8))).toThrow(RangeError);
  expect(['http://a/b/c', 'https://u:p@h:8/', 'http://h'].map(getHost)).toEqual(['a', 'h:8', 'h']);
});
