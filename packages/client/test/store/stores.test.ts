import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MemoryStore } from '../../src/store/memory.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createFailure, createResponse } from '../support/histories.ts';
import { Sqlite } from '../support/sqlite.ts';
import { testStore } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-store-'));
let files = 0;
const newFile = (): string => join(folder, String(files++), 'cache.sqlite');
afterAll(() => rmSync(folder, { recursive: true }));

const response = createResponse(1, { bytes: new Uint8Array(1000) });

describe('in memory', () => {
  testStore(async (options) => new MemoryStore(options));
});

describe('in a file', () => {
  testStore((options) => openSqliteStore(newFile(), options));

  test('outlasts the process that wrote it', async () => {
    const path = newFile();
    const first = await openSqliteStore(path);
    await first.record('http://a.example', { response });
    await first.close();
    const second = await openSqliteStore(path);
    expect(await second.get('http://a.example')).toEqual({ response, outage: null });
    await second.close();
  });

  test('two open stores see what the other writes, and share leases', async () => {
    const path = newFile();
    const [a, b] = await Promise.all([openSqliteStore(path), openSqliteStore(path)]);
    await a.record('http://a.example', { response });
    expect(await b.get('http://a.example')).toEqual({ response, outage: null });
    expect(await a.lease('http://a.example', 'a', 60_000)).toBe(true);
    expect(await b.lease('http://a.example', 'b', 60_000)).toBe(false);
    await a.close();
    await b.close();
  });

  test('a damaged row is as if nothing were known, and is replaced', async () => {
    const path = newFile();
    const store = await openSqliteStore(path);
    const damages = [
      "response = '{'",
      "response = '{}'",
      "response = 'null', outage = '{}'",
      'body = NULL',
      // Without its hash.
      `response = json_remove(response, '$.hash')`,
      // A file that is unavailable would allow everything.
      `response = json_set(response, '$.kind', 'unavailable')`,
      // Read as bytes, these would be files without a rule.
      'body = CAST(body AS TEXT)',
      'body = 5',
    ];
    for (const [number, damage] of damages.entries()) {
      const origin = `http://${number}.example`;
      await store.record(origin, { response });
      const database = new Sqlite(path);
      database
        .prepare(`UPDATE histories SET ${damage} WHERE key = (SELECT key FROM origins WHERE origin = ?)`)
        .run(origin);
      database.close();
      expect(await store.get(origin), damage).toBeUndefined();
      await store.record(origin, { response: { ...response, fetchedAt: 7 } });
      expect(await store.get(origin)).toMatchObject({ response: { fetchedAt: 7 } });
    }
    await store.close();
  });

  test.each([
    ["body = x''", 'a file that is gone'],
    ['body = substr(body, 1, 10)', 'a file that is shorter'],
    ["body = replace(CAST(body AS TEXT), '/private', '/qrivate') || ''", 'a file as a text'],
    [
      "body = CAST(replace(CAST(body AS TEXT), '/private', '/qrivate') AS BLOB)",
      'a rule that is another one',
    ],
    ["response = json_set(response, '$.staleAt', 2000000000000)", 'a time that is later'],
    ["response = json_set(response, '$.kind', 'unavailable'), body = NULL", 'a file that never was'],
    ["outage = json_set(outage, '$.since', 1)", 'an outage that is longer'],
    ["outage = json_set(outage, '$.status', 429)", 'another status'],
  ])('bits that have changed on the disk are noticed: %s', async (damage) => {
    const path = newFile();
    const store = await openSqliteStore(path);
    const origin = 'http://a.example';
    const bytes = new TextEncoder().encode('User-agent: *\nDisallow: /private\n');
    await store.record(origin, { response: { ...response, bytes } });
    await store.record(origin, { failure: createFailure(9) });
    expect(await store.get(origin)).toMatchObject({ response: { bytes }, outage: { since: 9 } });
    const database = new Sqlite(path);
    database.prepare(`UPDATE histories SET ${damage}`).run();
    database.close();
    expect(await store.get(origin)).toBeUndefined();
    await store.close();
  });

  test("another program's database is refused, and left as it is", async () => {
    for (const version of [0, 1, 99]) {
      const path = newFile();
      mkdirSync(dirname(path));
      const database = new Sqlite(path);
      database.exec(
        `CREATE TABLE events (x); INSERT INTO events VALUES (1); PRAGMA user_version = ${version}`,
      );
      database.close();
      const before = readFileSync(path);
      await expect(openSqliteStore(path)).rejects.toMatchObject({
        code: 'database-unreadable',
        message: expect.stringMatching(/is a database of another program/),
      });
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  test('a file of another build is refused, and left as it is', async () => {
    const path = newFile();
    await (await openSqliteStore(path)).close();
    const database = new Sqlite(path);
    database.exec("UPDATE maycrawl_migrations SET name = 'other tables'");
    database.close();
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: 'schema-too-new',
      message: expect.stringMatching(/^the database was written by another build of maycrawl/),
    });
  });

  test.each([
    ['what is no database', () => Buffer.alloc(5000, 'no database ')],
    ['a folder that is a file', () => undefined],
  ])('%s is an error', async (_name, content) => {
    const bytes = content();
    const blocked = join(folder, `blocked ${files++}`);
    writeFileSync(blocked, bytes ?? '');
    const path = bytes === undefined ? join(blocked, 'cache.sqlite') : blocked;
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: 'database-unreadable',
      message: expect.stringContaining(`cannot use ${path}: `),
    });
  });
});
