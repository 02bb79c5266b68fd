/** A disk without space, a folder that cannot be written, and an interrupt: one line, exit code 2, and no file remains. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withCensusErrors } from '../../../src/cli/commands/census/output.ts';
import { BIN, run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';
import { CENSUS_FILES, findWriter, readFolder, writeCrawl } from '../support/crawl.ts';

let folder: string;
let commands: Readonly<Record<'judge' | 'merge', readonly string[]>>;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-disk-'));
  // The JSON file has an entry for each of many small archives, and is larger than the tables.
  const manifest = writeCrawl(at('crawl'), 80, 2);
  const judge = ['census', 'judge', '--manifest', manifest, '--agents', 'GPTBot', '--threads', '1'];
  commands = { judge, merge: ['census', 'merge', at('parts')] };
  for (const slice of ['1/2', '2/2'])
    expect(await run([...judge, '--slice', slice, '--out', at('parts')])).toMatchObject({ code: 0 });
  expect(await run([...judge, '--out', at('whole')])).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command in a process whose files may have no more than some blocks of 512 bytes. Node.js ignores the signal. */
function runWithLimit(blocks: number, args: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  const script = `ulimit -f ${blocks}; exec "$@"`;
  return new Promise((resolve) => {
    execFile('sh', ['-c', script, 'sh', process.execPath, BIN, ...args], (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

describe.each(['judge', 'merge'] as const)('census %s', (name) => {
  test('a file that exceeds the limit of the process is reported in one line, and no file remains', async () => {
    const [captures = 0, json = 0, files = 0] = CENSUS_FILES.map((file) => statSync(at('whole', file)).size);
    // Less than a table; and enough for both tables, but not for the JSON file.
    for (const [bytes, file] of [
      [512, 'captures.parquet'],
      [Math.max(captures, files) + 512, 'census.json'],
    ] as const) {
      expect(bytes).toBeLessThan(json);
      const out = at(`${name}-limited`);
      const result = await runWithLimit(Math.ceil(bytes / 512), [...commands[name], '--out', out]);
      expect(result).toEqual({
        code: 2,
        stderr: expect.stringMatching(
          /^maycrawl: \S+: the file would be larger than the limit of the process\n$/,
        ),
      });
      expect(result.stderr).toContain(join(out, file));
      expect(readFolder(out)).toEqual([]);
    }
  });

  test('a folder that cannot be created is reported', async () => {
    writeFileSync(at('file'), '');
    expect(await runHere([...commands[name], '--out', at('file/census')])).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: `maycrawl: ${at('file/census')}: a part of its path is not a directory\n`,
    });
  });

  test('an interrupt ends the command, and no file remains', async () => {
    const out = at(`${name}-interrupted`);
    // A command can be complete before the signal arrives.
    for (let attempts = 0; ; attempts++) {
      expect(attempts).toBeLessThan(50);
      const child = spawn(process.execPath, [BIN, ...commands[name], '--out', out], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = once(child, 'exit');
      const messages = text(child.stderr);
      while (findWriter(out) !== child.pid && child.exitCode === null) await setTimeout(1);
      child.kill('SIGINT');
      const [code] = await ended;
      if (code === 2) {
        expect(await messages).toBe('maycrawl: interrupted; nothing was written\n');
        expect(readFolder(out)).toEqual([]);
        break;
      }
      expect({ code, files: readFolder(out) }).toEqual({ code: 0, files: CENSUS_FILES });
      rmSync(out, { recursive: true });
    }
  });
});

test('a folder on a read-only file system is reported as that, although Node.js reports ENOENT', async () => {
  const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'mkdir', path: '/mnt/census' });
  await expect(withCensusErrors(() => Promise.reject(error))).rejects.toThrow(
    '/mnt/census: the folder cannot be created; the file system may be read-only',
  );
});
