import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summarizeRun } from '../../../src/audit/report/summary.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { FolderCounter, getFolder } from '../../../src/audit/segments/folders.ts';
import { createPatternSegments, OTHER_SEGMENT } from '../../../src/audit/segments/segments.ts';
import { describeSegments } from '../../../src/cli/commands/audit/segments.ts';
import { type Answer, html, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';

const ORIGIN = 'https://example.com';

describe('the folder of', () => {
  test.each([
    ['https://example.com/a/b/c', 0, 'https://example.com/'],
    ['https://example.com/a/b/c', 2, 'https://example.com/a/b/'],
    ['https://example.com/a/b/c', 3, undefined],
    ['https://example.com/a?b/c/d', 1, undefined],
    ['https://example.com/?/a/', 1, undefined],
    ['http://[::1]:80/a/', 1, 'http://[::1]:80/a/'],
  ])('%s at depth %i is %s', (url, depth, folder) => expect(getFolder(url, depth)).toBe(folder));
});

describe('the largest folders', () => {
  const getLargest = (counts: Readonly<Record<string, number>>): string[] => {
    const counter = new FolderCounter();
    for (const [folder, count] of Object.entries(counts))
      for (let page = 0; page < count; page++) counter.add(`${ORIGIN}${folder}${page}`);
    return counter.getLargest().map((folder) => folder.slice(ORIGIN.length));
  };

  test('are those with at least two URLs and one percent of all, down to the third level', () => {
    expect(getLargest({ '/': 1, '/a/': 1, '/b/': 2, '/b/c/d/e/': 3 })).toEqual([
      '/',
      '/b/',
      '/b/c/',
      '/b/c/d/',
    ]);
    expect(getLargest({ '/': 981, '/a/': 9, '/b/': 10 })).toEqual(['/', '/b/']);
  });

  test('are at most twenty', () => {
    const folders = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`/${index}/`, 10 + index]));
    const largest = getLargest(folders);
    expect(largest).toHaveLength(20);
    expect(largest).toContain('/59/');
    expect(largest).not.toContain('/40/');
  });

  test('of a site with a folder for each page take a bounded time and memory', () => {
    const counter = new FolderCounter();
    for (let page = 0; page < 300_000; page++) counter.add(`${ORIGIN}/${page}/`);
    expect(counter.getLargest()).toEqual([`${ORIGIN}/`]);
  });
});

test('segments by patterns of rules: the first one that matches counts, and a name can have several', () => {
  const { names, find } = createPatternSegments([
    { name: 'Shop', pattern: '/shop/' },
    { name: 'Files', pattern: '*.pdf$' },
    { name: 'Shop', pattern: '/cart' },
  ]);
  expect(names).toEqual(['Shop', 'Files', OTHER_SEGMENT]);
  const found = ['/shop/a.pdf', '/a.pdf', '/a.pdf?x', '/cart', '/'].map((path) => names[find(ORIGIN + path)]);
  expect(found).toEqual(['Shop', 'Files', OTHER_SEGMENT, 'Shop', OTHER_SEGMENT]);
  expect(() => createPatternSegments([{ name: 'x', pattern: 'shop' }])).toThrow(RangeError);
});

describe('the summary of a run', () => {
  const folder = createTestFolder('segments');
  let run: RunStore;

  beforeAll(async () => {
    const page = (title: string, milliseconds: number): Answer => ({ body: html(title), milliseconds });
    const fast = Array.from({ length: 19 }, (_, index) => [
      `${ORIGIN}/fast/${index}`,
      page(`f${index}`, index + 1),
    ]);
    const answers: Readonly<Record<string, Answer>> = {
      ...Object.fromEntries(fast),
      [`${ORIGIN}/fast/20`]: page('slow', 3_000.4),
      [`${ORIGIN}/shop/a`]: { ...page('a', 10), status: 500 },
      [`${ORIGIN}/shop/b`]: { failure: 'timeout', milliseconds: 30_000 },
      [`${ORIGIN}/shop/c`]: page('c', 30),
      [`${ORIGIN}/private/a`]: page('p1', 1),
      [`${ORIGIN}/private/b`]: page('p2', 1),
      'https://other.example/': page('other', 1),
    };
    const links = [...Object.keys(answers), `${ORIGIN}/gone`].map((url) => `<a href="${url}">x</a>`).join('');
    run = await makeRun(join(folder, 'run.sqlite'), {
      start: `${ORIGIN}/`,
      answers: { ...answers, [`${ORIGIN}/`]: { body: `<title>Home</title>${links}`, milliseconds: 5 } },
      robots:
        'User-agent: Googlebot\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /shop/\nDisallow: /private/\n',
      agents: ['Googlebot', 'GPTBot'],
    });
  });
  afterAll(() => run?.close());

  test('has statuses, response times, verdicts and findings of each folder', async () => {
    const { segments } = summarizeRun(run);
    expect(segments.kind).toBe('folders');
    const none = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0, blocked: 0 };
    const [root, fast, hidden, shop, ...others] = segments.list;
    expect(others).toEqual([]);
    expect(root).toMatchObject({ name: '/', urls: 2, responseTime: { median: 5, p95: 40 } });
    expect(root?.agents[0]).toMatchObject({
      judged: 2,
      indexable: 1,
      statuses: { ...none, '2xx': 1, '4xx': 1 },
    });
    // Of 20 values the 10th and the 19th.
    expect(fast).toMatchObject({ name: '/fast/', urls: 20, responseTime: { median: 10, p95: 19 } });
    expect(hidden).toMatchObject({ name: '/private/', urls: 2, responseTime: null });
    expect(hidden?.agents.map(({ statuses }) => statuses)).toEqual([
      { ...none, blocked: 2 },
      { ...none, blocked: 2 },
    ]);
    expect(shop).toMatchObject({ name: '/shop/', urls: 3, responseTime: { median: 10, p95: 30 } });
    expect(shop?.agents).toMatchObject([
      { agent: 'Googlebot', judged: 3, indexable: 1, statuses: { ...none, '2xx': 1, '5xx': 1, none: 1 } },
      { agent: 'GPTBot', judged: 3, indexable: 0, statuses: { ...none, blocked: 3 } },
    ]);
    expect(shop?.agents[0]?.findings.error).toBe(2);
    expect(shop?.agents[1]?.findings.error).toBe(0);
  });

  test('can have other segments', async () => {
    const { segments } = summarizeRun(run, [{ name: 'Shop', pattern: '/shop/' }]);
    expect(segments.list.map(({ name, urls }) => [name, urls])).toEqual([
      ['Shop', 3],
      [OTHER_SEGMENT, 24],
    ]);
    expect(segments.kind).toBe('patterns');
  });

  test('is a table on the terminal', async () => {
    const lines = describeSegments(summarizeRun(run).segments).split('\n');
    expect(lines[1]?.replaceAll(/ {2,}/g, '|')).toBe(
      'folder|URLs|median|95 %|Googlebot: indexable|blocked|errors|warnings|GPTBot: indexable|blocked|errors|warnings',
    );
    expect(lines[5]?.replaceAll(/ {2,}/g, '|')).toBe('/shop/|3|10 ms|30 ms|1|0|2|0|0|3|0|0');
  });
});
