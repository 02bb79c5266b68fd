import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIpAddress } from '../../../src/logs/identity/address.ts';
import { RangeFileError } from '../../../src/logs/identity/range-file.ts';
import { listRangeFiles, writeListFile } from '../../../src/logs/identity/range-folder.ts';
import { RangeSet } from '../../../src/logs/identity/range-set.ts';
import { CrawlerRanges, readRangeStore } from '../../../src/logs/identity/range-store.ts';
import { createTestFolder } from '../../support/folder.ts';

const toList = (...prefixes: readonly string[]): string =>
  JSON.stringify({ prefixes: prefixes.map((ipv4Prefix) => ({ ipv4Prefix })) });
const ADDRESS = parseIpAddress('192.0.2.7') as number;

/** Creates a folder with files, by their paths. */
function createFolder(files: Readonly<Record<string, string>>): string {
  const folder = createTestFolder('ranges');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function getError(run: () => Promise<unknown>): Promise<RangeFileError> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RangeFileError) return error;
  throw error ?? new Error('there is no error');
}

describe('readRangeStore', () => {
  test('reads all days of all crawlers, in each format, and ignores other files', async () => {
    const folder = createFolder({
      'GPTBot/2026-11-01.json': toList('192.0.2.0/24'),
      'GPTBot/2026-11-02.json': toList('198.51.100.0/24'),
      'GPTBot/notes.txt': 'x',
      'GPTBot/2026-13-01.json': 'x',
      'GPTBot/2026-11-01.json.bak': 'x',
      'Example Bot/2026-11-01.txt': '192.0.2.7',
      'other/2026-11-01.csv': '192.0.2.0/25,US,,,',
      'readme.md': 'x',
    });
    const store = await readRangeStore(folder);
    expect(store.lists.map(({ crawler, day }) => `${crawler} ${day}`).sort()).toEqual([
      'Example Bot 2026-11-01',
      'GPTBot 2026-11-01',
      'GPTBot 2026-11-02',
      'other 2026-11-01',
    ]);
    const ranges = store.get('gptbot');
    expect(ranges?.check(ADDRESS, Date.parse('2026-11-01T12:00:00Z'))).toBe('inside');
    expect(ranges?.check(ADDRESS, Date.parse('2026-11-02'))).toBe('outside');
    expect(ranges?.check(ADDRESS, Date.parse('2026-10-31T23:59:59Z'))).toBe('no-list');
    expect(store.get('Example Bot')?.check(ADDRESS, Date.parse('2027-01-01'))).toBe('inside');
    expect(store.get('Googlebot')).toBeUndefined();
    expect(store.get('__proto__')).toBeUndefined();
  });

  test('equal lists of several days and crawlers are stored once', async () => {
    const list = toList('192.0.2.0/24');
    const folder = createFolder({
      'a/2026-11-01.json': list,
      'a/2026-11-02.json': list,
      'b/2026-11-01.json': list,
    });
    const { lists } = await readRangeStore(folder);
    expect(new Set(lists.map(({ ranges }) => ranges)).size).toBe(1);
  });

  test('an empty folder has no lists', async () => {
    expect((await readRangeStore(createFolder({}))).lists).toEqual([]);
  });

  test('a list with another digest than the file beside it is an error', async () => {
    const list = toList('192.0.2.0/24');
    const digest = createHash('sha256').update(list).digest('hex');
    const path = 'GPTBot/2026-11-01.json';
    const folder = createFolder({ [path]: list, [`${path}.sha256`]: `${digest}  2026-11-01.json\n` });
    expect((await readRangeStore(folder)).lists).toHaveLength(1);
    writeFileSync(join(folder, path), toList('0.0.0.0/8'));
    const error = await getError(() => readRangeStore(folder));
    expect(error.code).toBe('digest-mismatch');
    expect(error.message).toBe(
      'the list of GPTBot of 2026-11-01 has another SHA-256 than the file beside it says',
    );
  });

  test.each([
    ['{"prefixes":[]}', 'empty'],
    ['{', 'invalid-form'],
    ['{"prefixes":[{"ipv4Prefix":"x"}]}', 'invalid-prefix'],
  ])('the list %s is an error that names crawler and day', async (content, code) => {
    const error = await getError(() => readRangeStore(createFolder({ 'GPTBot/2026-11-01.json': content })));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^the list of GPTBot of 2026-11-01: /);
  });

  test('two lists of one day, and a folder that does not exist, are errors', async () => {
    const folder = createFolder({
      'a/2026-11-01.json': toList('192.0.2.0/24'),
      'a/2026-11-01.txt': '192.0.2.0/24',
    });
    expect((await getError(() => readRangeStore(folder))).code).toBe('invalid-name');
    expect((await getError(() => readRangeStore(join(folder, 'none')))).code).toBe('unreadable');
  });
});

describe('writeListFile', () => {
  test('writes a list and its digest as sha256sum does', async () => {
    const folder = createTestFolder('ranges');
    const content = toList('192.0.2.0/24');
    await writeListFile(folder, { crawler: 'GPTBot', day: '2026-11-01', content });
    const digest = readFileSync(join(folder, 'GPTBot/2026-11-01.json.sha256'), 'utf8');
    expect(digest).toBe(`${createHash('sha256').update(content).digest('hex')}  2026-11-01.json\n`);
    await writeListFile(folder, { crawler: 'GPTBot', day: '2026-11-01', content: toList('198.51.100.0/24') });
    expect((await readRangeStore(folder)).lists).toHaveLength(1);
  });

  test.each(['../../x', '..', '.', 'a/b', 'a\\b', 'Googlebot Image', 'é', '*', 'x.', 'x ', '%2e', ''])(
    'a crawler with the name %j stays in the folder, and has its name again',
    async (crawler) => {
      if (crawler === '') return;
      const folder = createTestFolder('ranges');
      await writeListFile(folder, { crawler, day: '2026-11-01', content: toList('192.0.2.0/24') });
      const [file] = await listRangeFiles(folder);
      expect(file?.crawler).toBe(crawler);
      expect(file?.path.startsWith(join(folder, '/'))).toBe(true);
    },
  );
});

test('the list of a time is the newest of a day that is not after it, in any order of requests', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 10 }),
      fc.array(fc.integer({ min: -1, max: 51 }), { maxLength: 50 }),
      (days, times) => {
        const lists = [...days]
          .sort((a, b) => a - b)
          .map((time) => ({
            crawler: 'a',
            day: String(time),
            time,
            creationTime: null,
            ranges: new RangeSet<never>([]),
          }));
        const ranges = new CrawlerRanges(lists);
        for (const time of times) {
          const valid = days.filter((day) => day <= time);
          expect(ranges.find(time)?.time).toBe(valid.length === 0 ? undefined : Math.max(...valid));
        }
      },
    ),
  );
});
