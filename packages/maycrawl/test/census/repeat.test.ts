import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type CensusOptions,
  type CensusSummary,
  findInputs,
  mergeCensus,
  slicePaths,
  writeCensus,
} from 'maycrawl/census';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { BIN, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { toMembers, writeRobotsTxt } from './support/warc.ts';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);
const write = (name: string, count = 1): string => {
  const path = at(name);
  const hosts = Array.from({ length: count }, (_, index) => `${name}-${index}.example`);
  writeFileSync(path, toMembers(hosts.map((host) => writeRobotsTxt(host, `User-agent: *\n# ${host}`))));
  return path;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-repeat-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { agents: ['GPTBot'], profile: 'google', version: '0.1.0', threads: 0 } as const;
const readBytes = (path: string): Buffer[] =>
  readdirSync(path)
    .sort()
    .map((name) => readFileSync(join(path, name)));

/** Judges a list in which files may be missing. Returns the number of unreadable inputs of the former census. */
const judge = async (paths: readonly string[], changes: Partial<CensusOptions> = {}) => {
  let repeated: number | undefined;
  const onRepeat = (unreadable: number): void => {
    repeated = unreadable;
  };
  const inputs = await findInputs(paths, { keepsMissing: true });
  const result = await writeCensus(inputs, { ...OPTIONS, folder: at('out'), onRepeat, ...changes });
  return { ...result, repeated };
};

describe('a census with inputs that could not be read', () => {
  test('is judged again, and then complete', async () => {
    const paths = [write('a.warc.gz', 2), at('b.warc.gz'), write('c.warc.gz')];
    const first = await judge(paths);
    expect(first).toMatchObject({ isComplete: false, repeated: undefined, summary: { captures: 3 } });
    expect(first.summary.inputs.map(({ problemCounts }) => problemCounts)).toEqual([
      {},
      { 'unreadable-input': 1 },
      {},
    ]);
    expect(await judge(paths)).toMatchObject({ isComplete: false, repeated: 1, summary: { captures: 3 } });
    write('b.warc.gz', 3);
    expect(await judge(paths)).toMatchObject({ isComplete: false, repeated: 1, summary: { captures: 6 } });
    expect(await judge(paths)).toMatchObject({ isComplete: true, repeated: undefined });
    await judge(paths, { folder: at('at-first') });
    expect(readBytes(at('out'))).toEqual(readBytes(at('at-first')));
  });

  test('is not overwritten by one of other inputs or settings', async () => {
    const paths = [write('a.warc.gz'), at('b.warc.gz')];
    await judge(paths);
    const before = readBytes(at('out'));
    for (const other of [paths.slice(0, 1), [...paths, write('c.warc.gz')], paths.toReversed()])
      await expect(judge(other)).rejects.toThrow('of a census with other inputs');
    await expect(judge(paths, { agents: ['CCBot'] })).rejects.toThrow('other agents');
    expect(readBytes(at('out'))).toEqual(before);
  });

  test('is known also if its missing files are parts of an entry', async () => {
    for (const name of ['a.example.txt', 'c.example.txt']) writeFileSync(at(name), 'User-agent: *');
    const paths = ['a.example.txt', 'b.example.txt', 'c.example.txt'].map((name) => at(name));
    expect(await judge(paths)).toMatchObject({ summary: { captures: 2, inputs: [{ count: 3 }] } });
    writeFileSync(at('b.example.txt'), 'User-agent: *');
    expect(await judge(paths)).toMatchObject({ repeated: 1, summary: { captures: 3 } });
    expect(await judge(paths)).toMatchObject({ isComplete: true });
  });

  test('is interrupted without loss of what was there', async () => {
    const paths = [write('a.warc.gz'), at('b.warc.gz')];
    await judge(paths);
    const before = readBytes(at('out'));
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(judge(paths, { signal })).rejects.toThrow('stopped');
    expect(readBytes(at('out'))).toEqual(before);
  });

  test('is merged again after its parts were judged again', async () => {
    const paths = [write('a.warc.gz'), at('b.warc.gz'), write('c.warc.gz')];
    const judgeParts = async (): Promise<void> => {
      for (const index of [1, 2]) {
        const slice = slicePaths(paths, index, 2);
        await judge(slice.paths, { folder: at('parts'), part: slice.part });
      }
    };
    await judgeParts();
    const merge = () => mergeCensus([at('parts')], { folder: at('merged') });
    expect(await merge()).toMatchObject({ isComplete: false, summary: { captures: 2 } });
    write('b.warc.gz');
    await judgeParts();
    expect(await merge()).toMatchObject({ isComplete: false, summary: { captures: 3 } });
    expect(await merge()).toMatchObject({ isComplete: true });
    await judge(paths, { folder: at('whole') });
    expect(readBytes(at('merged'))).toEqual(readBytes(at('whole')));
  });
});

describe('a list with missing files', () => {
  test('has an input for each: a path, a path in a missing folder and a pattern; another format is refused', async () => {
    mkdirSync(at('empty'));
    const paths = [at('a.warc'), at('none', 'b.tar.gz'), at('empty', '*.ndjson'), at('none', '*.txt')];
    expect(await findInputs(paths, { keepsMissing: true })).toEqual(
      ['warc', 'tar', 'ndjson', 'robots-txt'].map((format, index) => ({
        path: paths[index],
        format,
        bytes: 0,
      })),
    );
    await expect(findInputs([at('none.md')], { keepsMissing: true })).rejects.toThrow('unknown format');
  });
});

describe('maycrawl census judge', () => {
  test.each([
    [['--manifest', 'list', 'a.warc'], /name inputs, or --manifest, or --sites, not several of them/],
    [
      ['--manifest', 'list', '--sites', 'list'],
      /name inputs, or --manifest, or --sites, not several of them/,
    ],
    [['--base', 'https://a.example'], /--base needs --manifest/],
    [['--sites', '/none'], /\/none: the list cannot be read: ENOENT/],
    [
      ['--manifest', 'http://127.0.0.1:1/list'],
      /http:\/\/127\.0\.0\.1:1\/list: the list cannot be read: blocked-port/,
    ],
    [
      ['--sites', 'package.json'],
      /package\.json: neither a host nor an origin, in line 2 of those with text: "name"/,
    ],
    [['https://me:password@a.example/a.warc'], /a URL with a user name or a password is not supported/],
  ])('%j is refused in one line', async (args, message) => {
    const command = ['census', 'judge', ...args, '--agents', 'GPTBot', '--out', at('refused')];
    const { code, stderr } = await runHere(command);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('password@');
  });

  test('reads URLs of a list, and judges again what a server refused before', async () => {
    const archive = readFileSync(write('a.warc.gz', 2));
    let isThere = false;
    const site = await serve(({ url = '' }, response) => {
      if (url === '/list') response.end('crawl/a.warc.gz\ncrawl/b.warc.gz\n');
      else response.writeHead(url.endsWith('a.warc.gz') || isThere ? 200 : 404).end(archive);
    });
    try {
      const args = ['census', 'judge', '--manifest', `${site.origin}/list`, '--base', site.origin];
      const judgeCommand = () =>
        run([...args, '--threads', '1', '--agents', 'GPTBot', '--out', at('command')]);
      expect(await judgeCommand()).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(
          `1 input could not be read: ${site.origin}/crawl/b.warc.gz: status 404\n`,
        ),
      });
      const summary = JSON.parse(readFileSync(at('command', 'census.json'), 'utf8')) as CensusSummary;
      expect(summary.inputs.map(({ path, problems }) => [path, problems[0]?.message])).toEqual([
        [`${site.origin}/crawl/a.warc.gz`, undefined],
        [`${site.origin}/crawl/b.warc.gz`, 'status 404'],
      ]);
      isThere = true;
      const again = await judgeCommand();
      expect(again).toMatchObject({ code: 0 });
      expect(again.stderr).toMatch(
        /command: 1 input could not be read before; judging all again\n.*4 captures/s,
      );
      expect(await judgeCommand()).toMatchObject({ code: 0, stderr: expect.stringContaining('is complete') });
    } finally {
      await site.close();
    }
  });

  test.each(['--sites', '--manifest'])(
    'an interrupt ends the command while a server of %s does not respond',
    async (option) => {
      let wasRequested = (): void => {};
      const requested = new Promise<void>((resolve) => {
        wasRequested = resolve;
      });
      const site = await serve(() => wasRequested());
      const end = option === '--sites' ? '' : '/a.warc.gz';
      writeFileSync(at('list'), `${site.origin}${end}\n`);
      const args = [
        'census',
        'judge',
        '--agents',
        'GPTBot',
        option,
        at('list'),
        '--out',
        at('waiting'),
        '--allow-private',
      ];
      const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      try {
        await requested;
        child.kill('SIGINT');
        expect(await text(child.stderr)).toBe('maycrawl: interrupted; nothing was written\n');
        expect(readdirSync(at('waiting'))).toEqual([]);
      } finally {
        child.kill('SIGKILL');
        await site.close();
      }
    },
  );

  test('connects to private addresses of a list only with --allow-private', async () => {
    const archive = readFileSync(write('a.warc.gz'));
    const site = await serve((_request, response) => void response.end(archive));
    try {
      writeFileSync(at('list'), `${site.origin}/a.warc.gz\n`);
      const args = [
        'census',
        'judge',
        '--agents',
        'GPTBot',
        '--manifest',
        at('list'),
        '--out',
        at('private'),
        '--threads',
        '1',
      ];
      expect(await run(args)).toMatchObject({ code: 2 });
      expect(readFileSync(at('private', 'census.json'), 'utf8')).toContain('not a public address: 127.0.0.1');
      expect(site.requests).toEqual([]);
      expect(await run([...args, '--allow-private'])).toMatchObject({ code: 0 });
    } finally {
      await site.close();
    }
  });
});
