import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../src/audit/run/open-run.ts';
import type { UrlRecord, Visit } from '../../src/audit/run/records/page.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import { createTestFolder } from '../support/folder.ts';
import { classify, createVisit } from '../support/stored-pages.ts';

const folder = createTestFolder('records');
/** More than two statements read. */
const COUNT = 250;
const toUrl = (number: number): string => `https://example.com/${number}`;
let run: RunStore;

beforeAll(async () => {
  run = await openRun(join(folder, 'run.sqlite'), 'new');
  const urls = Array.from({ length: COUNT }, (_, number) => toUrl(number));
  run.addStarts(urls.slice(0, 3), classify);
  for (const name of ['a', 'b', 'c']) run.sitemaps.add(`https://example.com/${name}.xml`, 'robots.txt');
  const [a, b, c] = run.sitemaps.list();
  run.addEntries(a?.id ?? 0, urls, classify);
  run.addEntries(c?.id ?? 0, urls.slice(0, 5), classify);
  run.addEntries(b?.id ?? 0, urls.slice(3, 9), classify);
  const visits: Visit[] = [];
  for (const [number, url] of urls.entries()) {
    const key = run.findKey(url) as number;
    // The facts of one page are longer than those that are read with others.
    const title = number === 7 ? 'long '.repeat(20_000) : `Page ${number}`;
    const visit = createVisit(key, { facts: { title } });
    if (number % 5 > 1) visits.push(visit);
    else if (number % 5 === 1 && visit.kind === 'fetched') {
      const outcome = { kind: 'failure', code: 'timeout', detail: 'no response' } as const;
      visits.push({ ...visit, page: { ...visit.page, outcome } });
    }
  }
  run.record(visits, classify);
});
afterAll(async () => {
  run.close();
});

/** Reads each URL with statements of its own. */
function readOneByOne(keys: readonly number[]): UrlRecord[] {
  const records: UrlRecord[] = [];
  for (const key of keys) {
    const url = run.url(key);
    if (url === undefined) throw new Error(`there is no URL ${key}`);
    records.push({ ...url, page: run.page(key) ?? null, inSitemaps: run.sitemaps.findIds(key) });
  }
  return records;
}

test('records in the order of the keys are equal to their URLs, pages and sitemaps, read one by one', async () => {
  const keys = run.urls(-1, 2 * COUNT).map(({ key }) => key);
  expect(keys.length).toBe(COUNT);
  expect([...run.records()]).toEqual(readOneByOne(keys));
});

test('records in the order of the URLs are equal to their URLs, pages and sitemaps, read one by one', async () => {
  run.rows.orderUrls();
  const keys = [...run.rows.keysInOrder()];
  expect(keys.length).toBe(COUNT);
  expect([...run.rows.recordsInOrder()]).toEqual(readOneByOne(keys));
});

test('a record of one URL is equal to that of the list', async () => {
  for (const number of [0, 1, 4, 7, COUNT - 1]) {
    const key = run.findKey(toUrl(number)) as number;
    expect([run.rows.record(key)]).toEqual(readOneByOne([key]));
  }
  expect(run.rows.record(-5)).toBeUndefined();
});
