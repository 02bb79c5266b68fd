import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { type CensusOptions, findInputs, mergeCensus, writeCensus } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { BIN, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { HOSTILE_FILES } from './support/hostile-files.ts';
import { toMembers, writeRecord, writeResponse, writeRobotsTxt } from './support/warc.ts';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

const BAN = 'User-agent: *\nDisallow: /\n';
const OPEN = 'User-agent: *\nDisallow:\n';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-census-'));
  for (let file = 0; file < 7; file++) {
    const records = Array.from({ length: 40 }, (_, index) =>
      writeRobotsTxt(
        `${index % 3 === 0 ? 'www.' : ''}site-${file}-${index}.co.uk`,
        index % 4 === 0 ? BAN : `${OPEN}# ${(file * 7 + index) % 90}`,
      ),
    );
    records.push(
      writeRecord({
        url: 'http://gone.example/robots.txt',
        block: writeResponse('<html>', [], { status: 404 }),
      }),
      writeRecord({
        url: 'http://moved.example:81/robots.txt',
        block: writeResponse('', ['Location: /r'], { status: 301 }),
      }),
      writeRecord({
        url: 'http://moved.example:81/r',
        block: writeResponse('User-agent: GPTBot\nDisallow: /\nAllow: /ads.txt'),
      }),
    );
    writeFileSync(at(`crawl-${file}.warc.gz`), toMembers(records));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS = { agents: ['GPTBot', 'Googlebot'], profile: 'google', version: '0.1.0', threads: 0 } as const;

const judge = async (
  out: string,
  changes: Partial<CensusOptions> = {},
  inputs: readonly string[] = [at('*.warc.gz')],
) => writeCensus(await findInputs(inputs), { ...OPTIONS, folder: at(out), ...changes });

const readTable = async (...path: string[]) => {
  const file = await asyncBufferFromFile(at(...path));
  return (await parquetReadObjects({ file })) as Record<string, unknown>[];
};

describe('tables', () => {
  test('captures have a row each, and distinct files one row', async () => {
    const { summary, isComplete } = await judge('first');
    expect(isComplete).toBe(false);
    const captures = await readTable('first', 'captures.parquet');
    const files = await readTable('first', 'files.parquet');
    expect(captures).toHaveLength(7 * 43);
    expect(summary).toMatchObject({
      captures: captures.length,
      files: files.length,
      agents: ['GPTBot', 'Googlebot'],
    });
    expect(summary.outcomes).toMatchObject({ rules: 7 * 41, absent: 7, redirect: 7, unreachable: 0 });
    expect(summary.inputs.map(({ records }) => records)).toEqual(
      Array.from({ length: 7 }, () => ({ response: 43 })),
    );
    expect(captures[0]).toEqual({
      ...{ host: 'www.site-0-0.co.uk', domain: 'site-0-0.co.uk', scheme: 'http', port: 80, path: null },
      ...{
        time: new Date('2026-01-02T03:04:05Z'),
        status: 200,
        outcome: 'rules',
        digest: files[0]?.['digest'],
      },
      ...{
        location: null,
        target: null,
        hops: 0,
        truncated: false,
        input: at('crawl-0.warc.gz'),
        offset: 0n,
      },
    });
    expect(captures.slice(40, 43)).toMatchObject([
      { host: 'gone.example', status: 404, outcome: 'absent', digest: null },
      { port: 81, outcome: 'redirect', location: '/r', target: expect.stringMatching(/:81\/r$/), hops: 0 },
      { port: 81, outcome: 'rules', path: '/r', hops: 1 },
    ]);
    expect(files[0]).toMatchObject({
      ...{ kind: 'rules', bytes: BAN.length, overLimit: false, userAgents: 1, rules: 1, sitemaps: 0 },
      judgements: [
        {
          ...{ class: 'none', allowedPath: null, allowedLine: null },
          ...{ disallowedPath: '/', disallowedLine: 2 },
        },
      ],
      agents: { GPTBot: { class: 'none', group: 'global', judgement: 1 } },
    });
    const digests = new Set(files.map(({ digest }) => digest));
    expect(digests.size).toBe(files.length);
    for (const { digest, outcome } of captures) expect(digests.has(digest)).toBe(outcome === 'rules');
    const redirected = files.find(({ digest }) => digest === captures[42]?.['digest']);
    expect(redirected).toMatchObject({
      judgements: [
        { class: 'listed-only', allowedPath: '/ads.txt', allowedLine: 3 },
        { class: 'all', allowedLine: 0, disallowedPath: null },
      ],
      agents: {
        GPTBot: { class: 'listed-only', group: 'own', judgement: 1 },
        Googlebot: { class: 'all', group: 'none', judgement: 2 },
      },
    });
  });

  test('other readings have a column with a class for each agent', async () => {
    await judge('readings', { readAs: ['python-3.11', 'exact-rules'] });
    const files = await readTable('readings', 'files.parquet');
    const redirected = files.find(({ userAgents, rules }) => userAgents === 1 && rules === 2);
    expect(redirected).toMatchObject({
      agents: { GPTBot: { class: 'listed-only' }, Googlebot: { class: 'all' } },
      readAs: {
        'python-3.11': { GPTBot: 'none', Googlebot: 'all' },
        'exact-rules': { GPTBot: 'some', Googlebot: 'all' },
      },
    });
    await expect(judge('readings')).rejects.toThrow('of a census with other readings');
    await expect(judge('unknown', { readAs: ['python'] })).rejects.toThrow('there is no reading "python"');
  });

  test('classes whose work exceeds the budget of a reading are undecided, counted and printed', async () => {
    const long = HOSTILE_FILES['long paths and short rules']?.(20_000) ?? '';
    mkdirSync(at('hostile'));
    writeFileSync(at('hostile', 'a.example.txt'), long);
    writeFileSync(at('hostile', 'b.example.txt'), BAN);
    const args = ['--agents', 'GPTBot,Googlebot', '--read-as', 'all', '--out', at('undecided')];
    const { code, stderr } = await run(['census', 'judge', at('hostile'), ...args]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('undecided classes, by agent in the JSON file: python-3.15 2;'),
    ]);
    const files = await readTable('undecided', 'files.parquet');
    expect(files.map(({ readAs }) => (readAs as Record<string, unknown>)['python-3.15'])).toEqual([
      { GPTBot: 'undecided', Googlebot: 'undecided' },
      { GPTBot: 'none', Googlebot: 'none' },
    ]);
    const { undecided, undecidedReadings } = JSON.parse(readFileSync(at('undecided', 'census.json'), 'utf8'));
    expect([undecided, undecidedReadings]).toMatchObject([
      { GPTBot: 0, Googlebot: 0 },
      { 'python-3.15': { GPTBot: 1, Googlebot: 1 }, prefixes: { GPTBot: 0, Googlebot: 0 } },
    ]);
    const merged = await mergeCensus([at('undecided')], { folder: at('undecided-merged') });
    expect(merged.summary.undecidedReadings).toEqual(undecidedReadings);
  });

  test('the bytes are the same with any number of threads', async () => {
    await judge('first');
    for (const threads of ['1', '3']) {
      const out = `threads-${threads}`;
      const args = ['--agents', 'GPTBot,Googlebot', '--out', at(out), '--threads', threads];
      expect(await run(['census', 'judge', at('*.warc.gz'), ...args])).toMatchObject({ code: 0 });
      for (const table of ['captures', 'files']) {
        const [first, other] = ['first', out].map((name) => readFileSync(at(name, `${table}.parquet`)));
        expect(first?.equals(other ?? Buffer.alloc(0))).toBe(true);
      }
    }
  });

  test('nothing but the tables and the JSON file remains', async () => {
    await judge('first');
    expect(readdirSync(at('first')).sort()).toEqual(['captures.parquet', 'census.json', 'files.parquet']);
  });

  test('what a killed run left is removed, and no other file', async () => {
    mkdirSync(at('killed'));
    for (const name of [
      'captures.parquet.123-0a1b2c3d.tmp',
      'census.json.7-00000000.tmp',
      'captures-1-of-2.parquet.9-12345678.tmp',
      'own.tmp',
    ])
      writeFileSync(at('killed', name), '');
    await judge('killed');
    expect(readdirSync(at('killed')).sort()).toEqual([
      ...[
        'captures-1-of-2.parquet.9-12345678.tmp',
        'captures.parquet',
        'census.json',
        'files.parquet',
        'own.tmp',
      ],
    ]);
  });

  test('an interrupted census leaves no file', async () => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('stopped'));
    await expect(judge('stopped', { signal: controller.signal, onProgress })).rejects.toThrow('stopped');
    expect(readdirSync(at('stopped'))).toEqual([]);
  });

  test('a census without inputs has empty tables', async () => {
    const { summary } = await judge('nothing', {}, []);
    expect(summary).toMatchObject({ captures: 0, files: 0 });
    expect(await readTable('nothing', 'files.parquet')).toEqual([]);
  });
});

describe('a complete census', () => {
  test('is not written again', async () => {
    const { summary } = await judge('complete');
    const again = await judge('complete');
    expect(again).toEqual({ summary: JSON.parse(JSON.stringify(summary)), isComplete: true });
  });

  test('with other settings or inputs is not overwritten', async () => {
    await judge('complete');
    await expect(judge('complete', { agents: ['GPTBot'] })).rejects.toThrow(
      /other agents; choose another folder/,
    );
    await expect(judge('complete', { profile: 'rfc9309' })).rejects.toThrow(/other profiles/);
    await expect(judge('complete', { version: '2.0.0' })).rejects.toThrow(/other versions/);
    await expect(judge('complete', {}, [at('crawl-0.warc.gz')])).rejects.toThrow(/other inputs/);
  });

  test('with a damaged table is reported', async () => {
    await judge('damaged');
    truncateSync(at('damaged', 'files.parquet'), 100);
    await expect(judge('damaged')).rejects.toThrow(/files\.parquet is missing or damaged/);
    writeFileSync(at('damaged', 'census.json'), '{');
    await expect(judge('damaged')).rejects.toThrow(/census\.json is damaged/);
  });

  test('of standard input is not taken for another one', async () => {
    const args = ['census', 'judge', '-', '--agents', 'GPTBot', '--out', at('piped')];
    const bytes = readFileSync(at('crawl-0.warc.gz'));
    expect(await run(args, bytes)).toMatchObject({ code: 0, stderr: expect.stringContaining('43 captures') });
    expect(await run(args, bytes)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('standard input'),
    });
  });
});

describe('maycrawl census judge', () => {
  const judgeCommand = (...args: string[]) => run(['census', 'judge', ...args]);

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the command while it waits for input, and no file remains',
    async (signal) => {
      const out = at(`waiting-${signal}`);
      const args = ['census', 'judge', '-', '--agents', 'GPTBot', '--out', out];
      const child = spawn(process.execPath, [BIN, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
      try {
        child.stdin.write(readFileSync(at('crawl-0.warc.gz')));
        await vi.waitFor(() => expect(readdirSync(out)).toHaveLength(2), { timeout: 60_000 });
        child.kill(signal);
        const message = await text(child.stderr);
        expect(message).toContain('interrupted; nothing was written');
        expect(readdirSync(out)).toEqual([]);
      } finally {
        child.kill('SIGKILL');
      }
    },
  );

  test('slices of a manifest are all of its inputs', async () => {
    const paths = Array.from({ length: 7 }, (_, index) => at(`crawl-${index}.warc.gz`));
    writeFileSync(at('paths.txt'), `${paths.join('\n')}\n`);
    writeFileSync(at('agents.txt'), '# agents\nGPTBot\nGooglebot\n');
    for (const index of [1, 2, 3])
      expect(
        await judgeCommand(
          '--manifest',
          at('paths.txt'),
          '--slice',
          `${index}/3`,
          '--agents',
          at('agents.txt'),
          '--out',
          at('slices'),
        ),
      ).toMatchObject({ code: 0 });
    expect(readdirSync(at('slices')).filter((name) => name.startsWith('captures'))).toEqual(
      [1, 2, 3].map((index) => `captures-${index}-of-3.parquet`),
    );
    await judge('first');
    const parts = await Promise.all(
      [1, 2, 3].map((index) => readTable('slices', `captures-${index}-of-3.parquet`)),
    );
    expect(parts.flat()).toEqual(await readTable('first', 'captures.parquet'));
  });

  test('a path of the manifest that does not exist is reported, and the exit code is 2', async () => {
    writeFileSync(at('list.txt'), `${at('crawl-0.warc.gz')}\n${at('missing.warc.gz')}\n`);
    expect(
      await judgeCommand('--manifest', at('list.txt'), '--agents', 'GPTBot', '--out', at('missing')),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /unreadable-input 1\n.*1 input could not be read: .*missing\.warc\.gz: ENOENT/,
      ),
    });
  });

  test('damage in an input is reported in the message and in the JSON file', async () => {
    const bytes = readFileSync(at('crawl-0.warc.gz'));
    writeFileSync(at('cut.warc.gz'), bytes.subarray(0, bytes.length - 30));
    const { code, stderr } = await judgeCommand(at('cut.warc.gz'), '--agents', 'GPTBot', '--out', at('cut'));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/problems in the inputs.*truncated-member 1/),
    });
    expect(JSON.parse(readFileSync(at('cut', 'census.json'), 'utf8')).inputs[0].problemCounts).toMatchObject({
      'truncated-member': 1,
    });
  });

  test.each([
    [['--agents', 'GPTBot,B@d', '--out', 'x', 'a.warc'], /--agents: no user-agent line can name "B@d"/],
    [['--agents', ',', '--out', 'x', 'a.warc'], /--agents: there is no agent/],
    [['--agents', 'GPTBot,gptbot', '--out', 'x', 'README.md'], /unknown format/],
    [['--agents', 'GPTBot', '--out', 'x'], /name an archive/],
    [['--agents', 'GPTBot', '--out', 'x', 'none.warc'], /none\.warc: no such file or folder/],
    [['--agents', 'GPTBot', '--out', 'x', '--slice', '4/3', 'a.warc'], /--slice must be i\/n/],
    [['--agents', 'GPTBot', '--out', 'x', '--profile', 'none', 'a.warc'], /unknown profile/],
    [['--agents', 'GPTBot', '--out', '/dev/null/x', 'examples/robots.txt'], /\/dev\/null\/x: /],
    [['--agents', 'GPTBot,GPTBot', '--out', 'x', 'examples/robots.txt'], /GPTBot is given twice/],
    [['--agents', 'FooBot,foobot', '--out', 'x', 'examples/robots.txt'], /foobot is given twice/],
    [['--out', 'x', 'a.warc'], /--agents is required/],
    [['--agents', 'GPTBot', 'a.warc'], /--out is required/],
  ])('%j is refused in one line', async (args, message) => {
    const { code, stdout, stderr } = await runHere(['census', 'judge', ...args]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
