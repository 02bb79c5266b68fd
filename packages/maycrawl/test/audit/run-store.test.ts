import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Sqlite } from '../../../client/test/support/sqlite.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import { FOLLOWED, LINK_TYPES, packLinks, unpackLinks } from '../../src/audit/run/records/link-list.ts';
import { readTextId } from '../../src/audit/run/records/page-lists.ts';
import type { Classify } from '../../src/audit/run/records/url.ts';
import { getHost } from '../../src/audit/run/records/url.ts';
import { hashUrl, KEYS } from '../../src/audit/run/records/url-key.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import { createTestFolder } from '../support/folder.ts';
import { classify, createVisit, link } from '../support/stored-pages.ts';

const folder = createTestFolder('runs');

/** Changes the file of a run that is closed. */
function change(path: string, statements: string): void {
  const database = new Sqlite(path);
  database.exec(statements);
  database.close();
}

/** Two URLs with one path and different queries wait. */
const wait: Classify = (url) => ({
  ...(classify(url) as ReturnType<Classify> & { readonly state: 'waiting' }),
  ...(url.includes('?') && { shape: { name: url.split('?')[0] as string, limit: 2 } }),
});

let count = 0;
const open = (): Promise<RunStore> => openRun(join(folder, `${++count}.sqlite`), 'new');

test('discovered URLs wait, and fetched pages add their links', async () => {
  const run = await open();
  run.addStarts(['http://a/', 'http://a/', 'http://b:81/'], wait);
  expect(run.hosts.claim(10).sort()).toEqual(['a', 'b:81']);
  const [start] = run.waiting('a', 10, new Set());
  expect(start).toMatchObject({ url: 'http://a/', depth: 0, tries: 0 });
  const key = start?.key as number;
  expect(run.waiting('a', 10, new Set([key]))).toEqual([]);
  const named = [
    link('http://a/1'),
    link('http://a/', LINK_TYPES.link | LINK_TYPES.canonical),
    link('http://out/', LINK_TYPES.nofollow),
  ];
  run.record([createVisit(key, { named })], wait);
  expect(run.counts()).toMatchObject({ waiting: 2, fetched: 1, outside: 1 });
  const links = run.links(key);
  expect(await Promise.all(links.map(async (link) => [run.url(link.key)?.url, link.types]))).toEqual([
    ['http://a/1', LINK_TYPES.link],
    ['http://a/', LINK_TYPES.link | LINK_TYPES.canonical],
    ['http://out/', LINK_TYPES.nofollow],
  ]);
  const [next] = run.waiting('a', 10, new Set());
  expect(next).toMatchObject({ url: 'http://a/1', depth: 1 });
  run.record([{ kind: 'again', key: next?.key as number }], wait);
  expect(run.waiting('a', 10, new Set())).toMatchObject([{ url: 'http://a/1', tries: 1 }]);
  run.record([{ kind: 'blocked', key: next?.key as number }], wait);
  expect(run.waiting('a', 10, new Set())).toEqual([]);
  expect(run.counts()).toMatchObject({ waiting: 1, fetched: 1, outside: 1, blocked: 1 });
  expect(run.page(key)).toMatchObject({
    milliseconds: 2.5,
    outcome: { kind: 'page', digest: 'd' },
  });
  expect(run.findKey('http://a/1')).toBe(next?.key);
  expect(run.findKey('http://a/2')).toBeUndefined();
  run.close();
});

test('hosts take turns, and those that do not respond are ready again after the next start', async () => {
  const run = await open();
  run.addStarts(
    ['a', 'b', 'c', 'd'].map((host) => `http://${host}/`),
    wait,
  );
  const { hosts } = run;
  hosts.start();
  expect(hosts.claim(2).sort()).toEqual(['a', 'b']);
  expect(hosts.release('a')).toBe(true);
  hosts.exclude('b');
  expect(hosts.claim(2).sort()).toEqual(['c', 'd']);
  expect(hosts.claim(2)).toEqual(['a']);
  expect(hosts.claim(2)).toEqual([]);
  expect(hosts.count()).toEqual({ unresponsive: 1, all: 4 });
  const [{ key } = { key: -1 }] = run.waiting('c', 1, new Set());
  run.record([createVisit(key, { named: [link('http://b/new')] })], wait);
  expect(hosts.release('c')).toBe(false);
  // A new URL of a host that does not respond does not make it ready.
  expect(hosts.claim(2)).toEqual([]);
  for (const host of ['d', 'a']) expect(hosts.release(host)).toBe(true);
  hosts.start();
  expect(hosts.claim(1).concat(hosts.claim(1), hosts.claim(9))).toEqual(['b', 'd', 'a']);
  expect(hosts.count()).toEqual({ unresponsive: 0, all: 4 });
  run.close();
});

test('the number of waiting URLs with one shape is limited, independent of the page that names them', async () => {
  const run = await open();
  run.addStarts(['http://a/'], wait);
  const key = run.findKey('http://a/') as number;
  const named = [1, 2, 3, 4].map((n) => link(`http://a/x?${n}`));
  run.record([createVisit(key, { named })], wait);
  expect(run.counts()).toMatchObject({ waiting: 2, 'crawl-trap': 2 });
  const all = run.urls(-1, 100);
  expect(all.filter(({ state }) => state === 'crawl-trap').map(({ stateReason }) => stateReason)).toEqual([
    'more than 2 URLs like http://a/x',
    'more than 2 URLs like http://a/x',
  ]);
  run.close();
});

test('a depth is the length of the shortest path, and a URL that is too deep waits after its depth decreases', async () => {
  const run = await open();
  run.addStarts(['http://a/'], wait);
  // / -> /1 -> /2 -> /3; /c is named as a canonical, /4 by a sitemap alone.
  const findKey = (path: string): number => run.findKey(`http://a${path}`) as number;
  run.record([createVisit(findKey('/'), { named: [link('http://a/1')] })], wait);
  run.record(
    [
      createVisit(findKey('/1'), {
        depth: 1,
        named: [link('http://a/2'), link('http://a/c', LINK_TYPES.canonical)],
      }),
    ],
    wait,
  );
  run.record([createVisit(findKey('/2'), { depth: 2, named: [link('http://a/3')] })], wait);
  run.sitemaps.add('http://a/s.xml', 'robots.txt');
  const [sitemap] = run.sitemaps.listUnread();
  run.addEntries(sitemap?.id as number, ['http://a/4', 'http://a/4', 'http://a/1'], wait);
  run.sitemaps.close(sitemap?.id as number, 3);
  run.settleDepths();
  const depths = (): object =>
    Object.fromEntries(run.urls(-1, 100).map(({ url, depth }) => [url.slice(8), depth]));
  expect(depths()).toEqual({ '/': 0, '/1': 1, '/2': 2, '/3': 3, '/c': null, '/4': null });
  expect(run.limitDepth(2)).toBe(1);
  expect(run.url(findKey('/3'))?.state).toBe('too-deep');
  expect(run.url(findKey('/4'))?.state).toBe('waiting');
  run.record([createVisit(findKey('/4'), { depth: null })], wait);
  // /3 is no longer too deep.
  expect(run.limitDepth(3)).toBe(1);
  expect(run.sitemaps.findIds(findKey('/4'))).toEqual([sitemap?.id]);
  expect(run.sitemaps.list()).toMatchObject([{ url: 'http://a/s.xml', entries: 3, problem: null }]);
  run.close();
});

test('a link with nofollow leads to no depth, unless the page also has one without it', async () => {
  const run = await open();
  run.addStarts(['http://a/'], wait);
  const named = [
    link('http://a/nofollow', LINK_TYPES.nofollow),
    link('http://a/both', LINK_TYPES.nofollow | LINK_TYPES.link),
  ];
  run.record([createVisit(run.findKey('http://a/') as number, { named })], wait);
  run.settleDepths();
  expect(run.urls(-1, 100).map(({ url, depth }) => [url.slice('http://a'.length), depth])).toEqual([
    ['/', 0],
    ['/nofollow', null],
    ['/both', 1],
  ]);
  run.close();
});

test('stores settings and files', async () => {
  const run = await open();
  expect(run.get('x')).toBeUndefined();
  run.set('x', { a: [1] });
  run.set('x', { a: [2] });
  expect(run.get('x')).toEqual({ a: [2] });
  const body = new Uint8Array([0, 255]);
  const policy = { kind: 'rules' } as const;
  const site = { origin: 'http://a', policy, isGiven: false, code: null, message: 'r', fetchedAt: 5, body };
  const unavailable = { kind: 'allow-all', reason: 'unavailable' } as const;
  run.robots.set({ ...site, body: null, policy: unavailable });
  expect(run.robots.get('http://a')).toMatchObject({ body: null, policy: unavailable });
  run.robots.set(site);
  const robots = run.robots.get('http://a');
  expect({ ...robots, body: new Uint8Array(robots?.body ?? []) }).toEqual(site);
  expect(run.robots.get('http://b')).toBeUndefined();
  run.close();
});

test('texts with the same hash are stored separately, and again after a rollback', async () => {
  const path = join(folder, 'texts.sqlite');
  await (await openRun(path, 'new', 7)).close();
  change(path, `insert into texts values (1, ${hashUrl('Two', 7)}, 'One')`);
  const run = await openRun(path, 'resume');
  run.addStarts(['http://a/'], wait);
  const key = run.findKey('http://a/') as number;
  const named = [link('http://a/1', LINK_TYPES.link, 'Two')];
  const fail: Classify = () => {
    throw new Error('it fails');
  };
  const both = [
    createVisit(key, { named: [link('http://a/', LINK_TYPES.link, 'Two')] }),
    createVisit(key, { named }),
  ];
  expect(() => run.record(both, fail)).toThrow('it fails');
  run.record([createVisit(key, { named })], wait);
  expect(run.rows.links.readTexts(readTextId(run.rows.links.readList(key, 'texts'), 0))).toEqual(['Two']);
  run.close();
});

test('URLs with the same hash are stored separately', async () => {
  const path = join(folder, 'collision.sqlite');
  await (await openRun(path, 'new', 7)).close();
  const hash = hashUrl('http://a/2', 7);
  change(
    path,
    `insert into urls (key, hash, url, host, state, depth) values (1, ${hash}, 'http://x/', 'x', 3, 0)`,
  );
  const run = await openRun(path, 'resume');
  run.addStarts(['http://a/1', 'http://a/2'], wait);
  expect(run.findKey('http://x/')).toBeUndefined();
  expect(run.findKey('http://a/1')).toBe(2);
  expect(run.findKey('http://a/2')).toBe(3);
  run.close();
});

test('a run has at most one writer', async () => {
  const path = join(folder, 'used.sqlite');
  const run = await openRun(path, 'new');
  await expect(openRun(path, 'resume')).rejects.toThrow(/in use/);
  await expect(openRun(path, 'new')).rejects.toThrow(/exists: continue it with --resume/);
  await (await openRun(path, 'read')).close();
  run.close();
  await (await openRun(path, 'resume')).close();
  await expect(openRun(join(folder, 'none.sqlite'), 'read')).rejects.toThrow(/no run/);
});

test('a file of another build is refused in one line, and stays as it was', async () => {
  const path = join(folder, 'another-build.sqlite');
  await (await openRun(path, 'new')).close();
  change(path, "insert into maycrawl_migrations values ('audit-run', 2, 'further tables', 0)");
  for (const mode of ['read', 'resume'] as const)
    await expect(openRun(path, mode)).rejects.toMatchObject({
      code: 'schema-too-new',
      message: expect.stringMatching(/^[^\n]*another build of maycrawl[^\n]*$/),
    });
  change(path, 'delete from maycrawl_migrations where number = 2');
  change(path, 'alter table pages drop column resources');
  await expect(openRun(path, 'read')).rejects.toMatchObject({
    code: 'run-damaged',
    message: expect.stringMatching(/not a run of this build: its table "pages" has no column "resources"$/),
  });
});

test('a URL of PostgreSQL is refused before a file or a folder is created', async () => {
  const url = 'postgres://user:password@h.example/audits';
  for (const mode of ['new', 'resume', 'read'] as const)
    await expect(openRun(url, mode)).rejects.toMatchObject({
      code: 'run-unavailable',
      message: 'an audit is stored in a SQLite file, not in postgres://',
    });
});

test('links and hosts are packed and unpacked', () => {
  const links = [
    { key: KEYS - 1, types: 127 },
    { key: 0, types: 1 },
  ];
  expect(unpackLinks(packLinks(links))).toEqual(links);
  expect(() => unpackLinks(new Uint8Array(8))).toThrow(RangeError);
  // A rendered nofollow link leads no crawler to its URL.
  expect((LINK_TYPES.rendered | LINK_TYPES.nofollow) & FOLLOWED).toBe(0);
  expect(['http://a/b/c', 'https://u:p@h:8/', 'http://h'].map(getHost)).toEqual(['a', 'h:8', 'h']);
});
