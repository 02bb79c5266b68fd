import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseDocument } from 'htmlparser2';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/watch/message.ts';
import { createMessage, deliverTo, hostileMessage, NOW, RUNS, toAlert, UNPRINTABLE } from './alerts.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-feed-'));
  path = join(folder, 'feed.xml');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const deliverAlerts = (...alerts: Partial<Alert>[]) =>
  // On a busy machine many deliveries wait for the lock for longer than the default.
  deliverTo(`feed:${path}`, { timeout: 120_000 }, createMessage(...alerts));
const DELIVERED = { kind: 'delivered' };
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => name === 'entry',
});

function readFeed() {
  const xml = readFileSync(path, 'utf8');
  expect(XMLValidator.validate(xml)).toBe(true);
  return parser.parse(xml).feed;
}

function getIds(): string[] {
  return readFeed().entry.map(({ id }: { id: string }) => id.replace('urn:maycrawl:event:', ''));
}

describe('a feed', () => {
  test('is Atom', async () => {
    expect(await deliverAlerts({ title: 'a < b & c', text: 'one\n<b>two</b>' })).toEqual(DELIVERED);
    const feed = readFeed();
    expect(feed).toMatchObject({
      '@_xmlns': 'http://www.w3.org/2005/Atom',
      id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      title: 'maycrawl: changes of robots.txt',
      updated: '2026-11-21T10:00:00.000Z',
      author: { name: 'maycrawl' },
    });
    expect(feed.entry).toMatchObject([
      {
        id: 'urn:maycrawl:event:event-1',
        title: 'a < b & c',
        updated: '2026-11-21T10:00:00.000Z',
        category: { '@_term': 'error' },
        link: { '@_rel': 'alternate', '@_href': 'https://example.com/robots.txt' },
        content: { '@_type': 'text', '#text': 'one\n<b>two</b>' },
      },
    ]);
    expect(readdirSync(folder)).toEqual(['feed.xml']);
  });

  test('contains the newest entry first, no entry twice, and at most a hundred entries', async () => {
    await deliverAlerts({ id: 'a' }, { id: 'c', at: NOW + 2000 });
    const { id } = readFeed();
    await deliverAlerts({ id: 'b', at: NOW + 1000, title: 'new' }, { id: 'a', title: 'again' });
    expect(getIds()).toEqual(['c', 'b', 'a']);
    expect(readFeed().entry[2].title).toBe(toAlert().title);
    const before = statSync(path).mtimeMs;
    expect(await deliverAlerts({ id: 'a' })).toEqual(DELIVERED);
    expect(statSync(path).mtimeMs).toBe(before);
    await deliverAlerts(
      ...Array.from({ length: 150 }, (_, index) => ({ id: `n${index}`, at: NOW + index * 10 })),
    );
    expect(getIds()).toHaveLength(100);
    expect(getIds().slice(0, 2)).toEqual(['c', 'n149']);
    expect(readFeed()).toMatchObject({ id, updated: '2026-11-21T10:00:02.000Z' });
  });

  test('loses no entry when many deliveries write it concurrently', async () => {
    const all = Array.from({ length: 40 }, (_, index) => `e${index}`);
    const receipts = await Promise.all(all.map((id) => deliverAlerts({ id })));
    expect(receipts).toEqual(all.map(() => DELIVERED));
    expect(getIds().sort()).toEqual(all.sort());
    expect(readdirSync(folder)).toEqual(['feed.xml']);
  });

  test('waits for a process that has the lock, up to the timeout', async () => {
    const lock = `${path}.lock`;
    const holder = spawn(process.execPath, [
      '-e',
      `
      const fs = require('node:fs');
      fs.writeFileSync(${JSON.stringify(lock)}, '', { flag: 'wx' });
      process.stdin.once('data', () => { fs.rmSync(${JSON.stringify(lock)}); process.exit(); });
      console.log('locked');
    `,
    ]);
    await once(holder.stdout, 'data');
    expect(await deliverTo(`feed:${path}`, { timeout: 100 })).toMatchObject({
      code: 'timeout',
      isFinal: false,
    });
    const delivery = deliverAlerts({});
    holder.stdin.write('go');
    expect(await delivery).toEqual(DELIVERED);
    expect(getIds()).toEqual(['event-1']);
  });

  test.skipIf(process.platform === 'win32')('is refused without reading if the path is a pipe', async () => {
    execFileSync('mkfifo', [path]);
    expect(await deliverAlerts({})).toMatchObject({
      code: 'feed',
      reason: expect.stringContaining('not a file'),
    });
    expect(readdirSync(folder)).toEqual(['feed.xml']);
  });

  test('takes over a lock that is dated in the future, because the clock was set back', async () => {
    const lock = `${path}.lock`;
    writeFileSync(lock, '');
    utimesSync(lock, new Date(), new Date(Date.now() + 86_400_000));
    expect(await deliverTo(`feed:${path}`, { timeout: 5_000 })).toEqual(DELIVERED);
    expect(readdirSync(folder)).toEqual(['feed.xml']);
  });

  test('takes over the lock of a process that has died', async () => {
    const lock = `${path}.lock`;
    writeFileSync(lock, '');
    utimesSync(lock, new Date(), new Date(Date.now() - 60_000));
    expect(await deliverAlerts({})).toEqual(DELIVERED);
    expect(existsSync(lock)).toBe(false);
  });

  test.each([
    ['{"not": "XML"}'],
    ['<feed><id>a</id>'],
    ['<rss><channel/></rss>'],
    ['<feed xmlns="http://www.w3.org/2005/Atom"><id>a</id><entry><id>b</id></entry></feed>'],
    ['<!DOCTYPE feed [<!ENTITY a "b">]><feed><id>&a;</id><entry>text</entry></feed>'],
    [''],
  ])('does not overwrite another file: %s', async (content) => {
    writeFileSync(path, content);
    expect(await deliverAlerts({})).toEqual({
      kind: 'failed',
      code: 'feed',
      reason: 'the file is not a feed of maycrawl: move it, or use another path',
      retryAt: null,
      isFinal: false,
    });
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(folder)).toEqual(['feed.xml']);
  });

  test('is not read if it is too large', async () => {
    writeFileSync(path, ' '.repeat(4_000_001));
    expect(await deliverAlerts({})).toMatchObject({
      code: 'feed',
      reason: expect.stringContaining('4000000 bytes'),
    });
  });

  test('is not written to a missing folder or to one without write permission', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o555);
    // Root may write to every folder on a disk, so the test uses a virtual file system.
    const readOnly = process.getuid?.() === 0 ? '/proc' : closed;
    for (const [place, code] of [
      [join(folder, 'missing', 'feed.xml'), 'ENOENT'],
      [join(readOnly, 'feed.xml'), 'ENOENT|EACCES|EPERM|EROFS'],
      [closed, 'EISDIR|ENOTEMPTY|EEXIST|EACCES'],
    ] as const)
      expect(await deliverTo(`feed:${place}`)).toMatchObject({
        code: 'feed',
        reason: expect.stringMatching(new RegExp(`^the feed cannot be written: (?:${code})$`)),
        isFinal: false,
      });
  });

  test('stays a symbolic link, and its target keeps its mode', async () => {
    const target = join(folder, 'target.xml');
    symlinkSync(target, path);
    writeFileSync(target, '');
    rmSync(target);
    await deliverTo(`feed:${target}`);
    chmodSync(target, 0o640);
    expect(await deliverAlerts({ id: 'b' })).toEqual(DELIVERED);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(getIds().sort()).toEqual(['b', 'event-1']);
  });

  test('stays well-formed with hostile alerts, also when it is read and written again', async () => {
    let special = 0;
    await fc.assert(
      fc.asyncProperty(hostileMessage, async (message) => {
        rmSync(path, { force: true });
        expect(await deliverTo(`feed:${path}`, {}, message)).toEqual(DELIVERED);
        const first = readFeed();
        expect(await deliverAlerts({ id: 'later', at: 5_000_000_000_000 })).toEqual(DELIVERED);
        const [later, ...rest] = readFeed().entry;
        expect(later.id).toBe('urn:maycrawl:event:later');
        expect(rest).toEqual(first.entry.filter((entry: { id: string }) => entry.id !== later.id));
        const xml = readFileSync(path, 'utf8');
        expect(xml.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
        // Another parser finds only the elements that maycrawl writes.
        expect(getElementNames(xml)).toEqual(getElementNames(xml).filter((name) => OURS.has(name)));
        expect(getElementNames(xml).filter((name) => name === 'entry')).toHaveLength(rest.length + 1);
        special += /&lt;|\]\]&gt;/.test(xml) ? 1 : 0;
      }),
      RUNS,
    );
    expect(special).toBeGreaterThan(RUNS.numRuns / 10);
  });
});

const OURS = new Set([
  'feed',
  'id',
  'title',
  'updated',
  'author',
  'name',
  'generator',
  'entry',
  'category',
  'link',
  'content',
  '?xml',
]);

function getElementNames(xml: string): string[] {
  const names: string[] = [];
  const walk = (nodes: readonly object[]): void => {
    for (const node of nodes) {
      if ('name' in node) names.push(String(node.name));
      if ('children' in node) walk(node.children as object[]);
    }
  };
  walk(parseDocument(xml, { xmlMode: true }).children);
  return names;
}
