/** New lines of a log across rotations: each line is read once. */
import {
  appendFileSync,
  copyFileSync,
  linkSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLogs } from '../../../src/logs/read-log.ts';
import { openNewLines, type TrackedLog } from '../../../src/watch/logs/new-lines.ts';
import { isRotatedName } from '../../../src/watch/logs/rotated-names.ts';
import { createTestFolder } from '../../support/folder.ts';
import { formatLogLine, WrittenLog } from '../../support/watched-log.ts';

const NOW = Date.UTC(2026, 10, 20);
const root = createTestFolder('new-lines');
let files = 0;

/** Reads a log as the monitor does. What is stored goes through JSON. */
function createReader(path: string): () => Promise<{ targets: string[]; hasGap: boolean }> {
  let tracked: TrackedLog | null = null;
  return async () => {
    const lines = await openNewLines(path, tracked, new AbortController().signal);
    try {
      const targets: string[] = [];
      const options = { threads: 1, fallbackFormat: 'combined' };
      for await (const batch of readLogs(lines.sources, options).batches())
        targets.push(...batch.map(({ target }) => target));
      tracked = JSON.parse(JSON.stringify(await lines.track())) as TrackedLog;
      return { targets, hasGap: lines.hasGap };
    } finally {
      await lines.close();
    }
  };
}

function createLog(): WrittenLog {
  return new WrittenLog(join(root, `${files++}.log`));
}

const ACTIONS = ['append', 'append', 'read', 'rename', 'copy', 'compress', 'half'] as const;

/** Expects that each line of a log is read once after some actions, and that no reading has a gap. */
async function expectEachOnce(actions: readonly (typeof ACTIONS)[number][]): Promise<void> {
  const log = createLog();
  const read = createReader(log.path);
  const seen: string[] = [];
  let count = 0;
  let half = '';
  // The first reading has the current file only.
  for (const each of ['read', ...actions, 'append', 'read'] as const)
    if (each === 'read') {
      const { targets, hasGap } = await read();
      expect(hasGap).toBe(false);
      seen.push(...targets);
    } else if (each === 'rename' && half === '') log.rename();
    else if (each === 'copy' && half === '') log.copyAndTruncate();
    else if (each === 'compress') log.compress();
    else if (each === 'append' || each === 'half') {
      const text = half === '' ? line(`/${count++}`) : half;
      half = each === 'half' && half === '' ? text.slice(60) : '';
      appendFileSync(log.path, half === '' ? text : text.slice(0, 60));
    }
  const all = Array.from({ length: half === '' ? count : count - 1 }, (_, index) => `/${index}`);
  expect(seen.sort()).toEqual(all.sort());
}

const line = (target: string): string => formatLogLine(NOW, 'GPTBot', target);

describe('the new lines of a log', () => {
  test('are those after the last reading', async () => {
    const log = createLog();
    const read = createReader(log.path);
    expect(await read()).toEqual({ targets: [], hasGap: false });
    log.append('GPTBot', NOW, 2);
    expect(await read()).toEqual({ targets: ['/0', '/1'], hasGap: false });
    expect(await read()).toEqual({ targets: [], hasGap: false });
    log.append('GPTBot', NOW);
    expect(await read()).toEqual({ targets: ['/2'], hasGap: false });
  });

  test('are whole: a line without its end is read when its end is there', async () => {
    const { path } = createLog();
    const read = createReader(path);
    const text = line('/half');
    appendFileSync(path, line('/whole') + text.slice(0, 50));
    expect((await read()).targets).toEqual(['/whole']);
    appendFileSync(path, text.slice(50, -1));
    expect((await read()).targets).toEqual([]);
    appendFileSync(path, '\n');
    expect((await read()).targets).toEqual(['/half']);
  });

  test('are in the renamed file and in the new one, also if the server writes to the renamed one for a while', async () => {
    const log = createLog();
    const read = createReader(log.path);
    log.append('GPTBot', NOW);
    await read();
    log.append('GPTBot', NOW);
    log.rename();
    expect(await read()).toEqual({ targets: ['/1'], hasGap: false });
    appendFileSync(`${log.path}.1`, line('/late'));
    log.append('GPTBot', NOW);
    expect(await read()).toEqual({ targets: ['/late', '/2'], hasGap: false });
    appendFileSync(`${log.path}.1`, line('/later'));
    expect(await read()).toEqual({ targets: ['/later'], hasGap: false });
  });

  test('are in all files that were rotated meanwhile, also in compressed ones', async () => {
    const log = createLog();
    const read = createReader(log.path);
    log.append('GPTBot', NOW);
    await read();
    for (let each = 0; each < 4; each++) {
      log.append('GPTBot', NOW + each * 1_000);
      log.rename();
      if (each < 3) log.compress();
    }
    log.append('GPTBot', NOW + 10_000);
    expect(await read()).toEqual({ targets: ['/1', '/2', '/3', '/4', '/5'], hasGap: false });
    log.compress();
    expect(await read()).toEqual({ targets: [], hasGap: false });
  });

  test('are in the copy of a log that was emptied, and are not read twice between the copy and that', async () => {
    const log = createLog();
    const read = createReader(log.path);
    log.append('GPTBot', NOW, 3);
    await read();
    log.append('GPTBot', NOW);
    copyFileSync(log.path, `${log.path}.1`);
    expect(await read()).toEqual({ targets: ['/3'], hasGap: false });
    log.append('GPTBot', NOW);
    copyFileSync(log.path, `${log.path}.1`);
    truncateSync(log.path);
    log.append('GPTBot', NOW);
    expect(await read()).toEqual({ targets: ['/4', '/5'], hasGap: false });
    expect(await read()).toEqual({ targets: [], hasGap: false });
  });

  test('are found also if the emptied log is longer than before', async () => {
    const log = createLog();
    const read = createReader(log.path);
    log.append('GPTBot', NOW);
    await read();
    log.copyAndTruncate();
    log.append('GPTBot', NOW, 5);
    expect(await read()).toEqual({ targets: ['/1', '/2', '/3', '/4', '/5'], hasGap: false });
  });

  test('of files that begin with equal lines are distinguished by the inode', async () => {
    const { path } = createLog();
    const read = createReader(path);
    appendFileSync(path, line('/same'));
    await read();
    renameSync(path, `${path}.1`);
    writeFileSync(path, line('/same') + line('/same'));
    expect(await read()).toEqual({ targets: ['/same', '/same'], hasGap: false });
  });

  test('have a gap if the file that was read is gone, or was emptied without a copy', async () => {
    const log = createLog();
    const read = createReader(log.path);
    log.append('GPTBot', NOW, 3);
    await read();
    unlinkSync(log.path);
    writeFileSync(log.path, line('/new'));
    expect(await read()).toEqual({ targets: ['/new'], hasGap: true });
    truncateSync(log.path);
    expect(await read()).toEqual({ targets: [], hasGap: true });
    appendFileSync(log.path, line('/a'));
    expect(await read()).toEqual({ targets: ['/a'], hasGap: false });
  });

  test('are read once from a log that is a link to a file with a date', async () => {
    const { path } = createLog();
    const read = createReader(path);
    linkSync(path, `${path}.1732752000`);
    appendFileSync(path, line('/a'));
    expect((await read()).targets).toEqual(['/a']);
    unlinkSync(path);
    writeFileSync(`${path}.1732838400`, line('/b'));
    linkSync(`${path}.1732838400`, path);
    appendFileSync(`${path}.1732752000`, line('/late'));
    expect((await read()).targets.sort()).toEqual(['/b', '/late']);
    expect((await read()).targets).toEqual([]);
  });

  test('have the fields that the header of their file names', async () => {
    const { path } = createLog();
    const read = createReader(path);
    const agent = 'Mozilla/5.0+(compatible;+GPTBot/1.0;++https://bots.example/)';
    const fields = '#Fields: date time cs-uri-stem cs(User-Agent) sc-status\n';
    writeFileSync(path, `${fields}2026-11-20 10:00:00 /a ${agent} 200\n`);
    expect((await read()).targets).toEqual(['/a']);
    appendFileSync(path, `2026-11-20 10:00:01 /b ${agent} 200\n`);
    expect((await read()).targets).toEqual(['/b']);
    appendFileSync(path, '#Fields: cs-uri-stem date time cs(User-Agent)\n');
    expect((await read()).targets).toEqual([]);
    appendFileSync(path, `/c 2026-11-20 10:00:02 ${agent}\n`);
    expect((await read()).targets).toEqual(['/c']);
  });

  test('are known if a copy has the inode of an empty file that was deleted', async () => {
    for (const actions of [
      ['rename', 'append', 'compress', 'read', 'copy'],
      ['append', 'copy', 'rename', 'compress', 'compress'],
      ['copy', 'append', 'read', 'compress', 'copy'],
    ] as const)
      await expectEachOnce(actions);
  });

  test('are each read once, whatever is appended, rotated and compressed between readings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 40 }), expectEachOnce),
    );
  });
});

test('names of rotated files have a number or a date, and may be compressed', () => {
  const isRotated = (name: string): boolean => isRotatedName('access.log', name);
  for (const end of [
    '.1',
    '.12.gz',
    '.1.zst',
    '-20261128',
    '-20261128.gz',
    '.1732752000',
    '.2026-11-28T10:00:00Z',
  ])
    expect([end, isRotated(`access.log${end}`)]).toEqual([end, true]);
  for (const name of ['access-20261128.log', 'access-20261128.log.gz', 'access.1.log'])
    expect([name, isRotated(name)]).toEqual([name, true]);
  for (const end of ['', '.gz', '.bak', '.1.bak', '.1~', '2', '.'])
    expect([end, isRotated(`access.log${end}`)]).toEqual([end, false]);
  for (const name of ['other_access.log.1', 'access_ssl.log', 'error.log.1', 'access.lo', ''])
    expect([name, isRotated(name)]).toEqual([name, false]);
});
