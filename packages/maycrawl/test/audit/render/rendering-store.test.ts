/** The results of rendering. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selectPages } from '../../../src/audit/render/select-pages.ts';
import { openRun } from '../../../src/audit/run/open-run.ts';
import { LINK_TYPES } from '../../../src/audit/run/records/link-list.ts';
import type { Rendering } from '../../../src/audit/run/records/rendering.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { createTestFolder } from '../../support/folder.ts';
import { classify, createVisit, link } from '../../support/stored-pages.ts';

const folder = createTestFolder('renderings');

let count = 0;
const open = (): Promise<RunStore> => openRun(join(folder, `${++count}.sqlite`), 'new');

/** The link of each page. */
const named = [link('http://a/kept', LINK_TYPES.link, 'Kept')];

function createRendering(key: number): Rendering {
  const facts = { title: 'T\0', robots: [], canonicals: [] };
  const none = { count: 0, urls: [] };
  const outcome = {
    ...({ kind: 'rendered', before: facts, after: facts, added: none, removed: none } as const),
    ...{ redirect: null, refused: [], requests: 0, isStopped: false },
  };
  return { key, at: 5, milliseconds: 6, outcome };
}

function addPages(run: RunStore, paths: readonly string[]): number[] {
  run.addStarts(
    paths.map((path) => `http://a${path}`),
    classify,
  );
  const keys: number[] = [];
  for (const path of paths) keys.push(run.findKey(`http://a${path}`) as number);
  return keys;
}

test('only HTML pages with status 200 can be rendered, each once', async () => {
  const run = await open();
  const keys = addPages(run, ['/', '/untyped', '/missing', '/image', '/new']);
  const [page, untyped, missing, image] = keys as [number, number, number, number];
  run.record(
    [
      createVisit(page),
      createVisit(untyped, { facts: { type: null } }),
      createVisit(missing, { facts: { status: 404 } }),
      createVisit(image, { facts: { type: 'image/png' } }),
    ],
    classify,
  );
  const list = (): number[] => run.renderings.listRenderable(-1, 10).map(({ key }) => key);
  expect(list().sort()).toEqual([page, untyped].sort());
  expect(run.renderings.listRenderable(-1, 1)).toHaveLength(1);
  run.recordRendering(createRendering(page), { depth: 0, named: [], classify });
  expect(list()).toEqual([untyped]);
  expect(run.renderings.count()).toBe(1);
  const failure = { kind: 'failure', code: 'timeout', detail: 'late' } as const;
  const failed = { key: untyped, at: 7, milliseconds: 8.5, outcome: failure };
  run.recordRendering(failed, { depth: 0, named: [], classify });
  expect(list()).toEqual([]);
  expect(run.renderings.get(page)).toEqual(createRendering(page));
  expect(run.renderings.get(untyped)).toEqual(failed);
  expect(run.renderings.get(missing)).toBeUndefined();
  run.close();
});

test('links of scripts are added to those of the page, and wait', async () => {
  const run = await open();
  const [page] = addPages(run, ['/']) as [number];
  run.record([createVisit(page, { named })], classify);
  const added = [link('http://a/new', LINK_TYPES.link, 'New'), link('http://out/', LINK_TYPES.canonical)];
  run.recordRendering(createRendering(page), { depth: 0, named: added, classify });
  const urls = await Promise.all(run.links(page).map(async ({ key, types }) => [run.url(key)?.url, types]));
  expect(urls).toEqual([
    ['http://a/kept', LINK_TYPES.link],
    ['http://a/new', LINK_TYPES.link | LINK_TYPES.rendered],
    ['http://out/', LINK_TYPES.canonical | LINK_TYPES.rendered],
  ]);
  expect(run.hosts.claim(10)).toContain('a');
  const waiting = run.waiting('a', 10, new Set());
  expect(waiting.map(({ url, depth }) => [url, depth])).toEqual([
    ['http://a/kept', 1],
    ['http://a/new', 1],
  ]);
  expect(run.waiting('out', 10, new Set())).toMatchObject([{ isTarget: true }]);
  run.settleDepths();
  expect(run.url(run.findKey('http://a/new') as number)).toMatchObject({ depth: 1 });
  run.close();
});

test('a sample takes pages from each folder in turn, those nearest to a start first', async () => {
  const run = await openRun(join(folder, 'sample.sqlite'), 'new');
  const paths = [
    '/',
    '/about',
    '/blog/1',
    '/blog/2',
    '/blog/3',
    '/shop/a/1',
    '/shop/b/2',
    '/shop?page=2',
    '/x?y=/z',
  ];
  const keys = addPages(run, paths);
  run.record(
    keys.map((key) => createVisit(key)),
    classify,
  );
  const select = async (limit: number, except: readonly number[] = []): Promise<string[]> =>
    (await selectPages(run, limit, new Set(except))).map(({ url }) => url.slice('http://a'.length));
  expect(await select(3)).toEqual(['/', '/blog/1', '/shop/a/1']);
  // A slash in a query ends no folder.
  expect(await select(5)).toEqual(['/', '/blog/1', '/shop/a/1', '/about', '/blog/2']);
  expect((await select(100)).sort()).toEqual(paths);
  expect(await select(3, [keys[0] as number])).toEqual(['/about', '/blog/1', '/shop/a/1']);
  run.close();
});
