import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findInputs, type InputFile, InputTotals, readInput } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toTasks } from '../../../src/census/inputs/task.ts';
import { writeRobotsTxt } from '../support/warc.ts';

let folder: string;
const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-census-'));
  for (const name of ['sites', 'sites/c.example', 'archives', 'empty']) mkdirSync(join(folder, name));
  write('sites/b.example.txt', 'User-agent: *\nDisallow: /b');
  write('sites/a.example.txt', 'User-agent: *\nDisallow: /a');
  write('sites/c.example/robots.txt', '');
  write('sites/README.md', 'no robots.txt');
  write('archives/part-1.warc.gz', gzipSync(writeRobotsTxt('one.example', 'User-agent: *')));
  write('archives/part-2.warc', writeRobotsTxt('two.example', 'User-agent: *'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readAll = async (file: InputFile, totals = new InputTotals()) => {
  const captures = [];
  for await (const batch of readInput(file, totals))
    for (const { url, status, time, body } of batch)
      captures.push({ url, status, time, body: body === null ? null : Buffer.from(body).toString() });
  return { captures, totals: totals.toData() };
};

describe('finding inputs', () => {
  const relative = (files: readonly InputFile[]) => files.map(({ path }) => path.slice(folder.length + 1));

  test('a folder has its files by name, and those of the folders in it', async () => {
    expect(relative(await findInputs([join(folder, 'sites')]))).toEqual([
      'sites/a.example.txt',
      'sites/b.example.txt',
      'sites/c.example/robots.txt',
    ]);
    expect(await findInputs([join(folder, 'empty')])).toEqual([]);
  });

  test('a pattern has the files that it matches', async () => {
    const find = (pattern: string) => findInputs([join(folder, 'archives', pattern)]).then(relative);
    expect(await find('part-*')).toEqual(['archives/part-1.warc.gz', 'archives/part-2.warc']);
    expect(await find('*1*gz')).toEqual(['archives/part-1.warc.gz']);
    expect(await find('p*2.w*c')).toEqual(['archives/part-2.warc']);
    await expect(find('part-1.*.warc.gz')).rejects.toThrow(/no file matches/);
  });

  test('standard input is an archive', async () => {
    expect(await findInputs(['-'])).toEqual([{ path: '-', format: 'warc', bytes: 0 }]);
  });

  test('a file that does not exist, and one of an unknown format, are refused', async () => {
    await expect(findInputs([join(folder, 'none.warc')])).rejects.toThrow(
      /none\.warc: no such file or folder/,
    );
    await expect(findInputs([join(folder, 'sites/README.md')])).rejects.toThrow(/unknown format/);
  });

  test('an archive is a task of its own, and files are read together', () => {
    const file = (path: string, format: InputFile['format']): InputFile => ({ path, format, bytes: 1 });
    const many = Array.from({ length: 300 }, (_, index) => file(`${index}.txt`, 'robots-txt'));
    const tasks = toTasks([
      file('a.warc', 'warc'),
      file('b.warc', 'warc'),
      ...many,
      file('c.jsonl', 'ndjson'),
    ]);
    expect(tasks.map(({ files }) => files.length)).toEqual([1, 1, 256, 44, 1]);
  });
});

describe('reading inputs', () => {
  test('the name of a file is the host', async () => {
    const [first, , third] = await findInputs([join(folder, 'sites')]);
    expect((await readAll(first as InputFile)).captures).toEqual([
      { url: 'https://a.example/robots.txt', status: null, time: null, body: 'User-agent: *\nDisallow: /a' },
    ]);
    expect((await readAll(third as InputFile)).captures).toMatchObject([
      { url: 'https://c.example/robots.txt', body: '' },
    ]);
    const bad = write('sites/a b.txt', '');
    const { totals } = await readAll({ path: bad, format: 'robots-txt', bytes: 0 });
    expect(totals.problemCounts).toEqual({ 'invalid-url': 1 });
    rmSync(bad);
  });

  test('lines of JSON have a URL or a host, and optionally status, time and body', async () => {
    const lines = [
      '{"url":"http://a.example/robots.txt","status":200,"time":"2026-01-02T03:04:05Z","body":"User-agent: *"}',
      '{"host":"b.example:8443","time":1767323045000,"status":404,"body":null}',
      '',
      '{"host":"c.example","body":"ä"}',
      ...[
        'not JSON',
        '[]',
        'null',
        '{}',
        '{"host":"a b"}',
        '{"url":"ftp://a/robots.txt"}',
        '{"host":"a","status":"200"}',
      ],
      ...['{"host":"a","body":1}', '{"host":"a","time":"yesterday"}', '{"host":"a","time":8700000000000000}'],
      ...['{"host":"user@a.example"}', '{"host":"a.example/x?"}', '{"host":"a.example#"}', '{"host":""}'],
    ];
    const text = lines.join('\n');
    const encoded = Buffer.from(text);
    for (const [name, bytes] of [
      ['a.jsonl', encoded],
      ['a.ndjson.gz', gzipSync(text)],
    ] as const) {
      const { captures, totals } = await readAll({ path: write(name, bytes), format: 'ndjson', bytes: 1 });
      expect(captures).toEqual([
        { url: 'http://a.example/robots.txt', status: 200, time: 1767323045000, body: 'User-agent: *' },
        { url: 'https://b.example:8443/robots.txt', status: 404, time: 1767323045000, body: null },
        { url: 'https://c.example/robots.txt', status: null, time: null, body: 'ä' },
      ]);
      expect(totals.problemCounts).toEqual({ 'invalid-line': 14 });
      const [first] = totals.problems;
      expect(encoded.toString('utf8', first?.offset, (first?.offset ?? 0) + 8)).toBe('not JSON');
    }
  });

  test.each(['ustar', 'pax', 'gnu', 'v7'])(
    'a tar archive of the format %s has the files of a folder',
    async (format) => {
      const long = `${'long-'.repeat(11)}name.example`;
      const path = join('deep', 'er'.repeat(60), `${long}.txt`);
      mkdirSync(join(folder, 'tree', 'deep', 'er'.repeat(60)), { recursive: true });
      mkdirSync(join(folder, 'tree', 'd.example'), { recursive: true });
      const isLong = format !== 'v7';
      if (isLong) write(join('tree', path), 'User-agent: long');
      write('tree/d.example/robots.txt', 'User-agent: d');
      write('tree/big.example.txt', Buffer.alloc(600_000, '#'));
      write('tree/zero.example.txt', '');
      write('tree/picture.png', 'no robots.txt');
      const names = [
        'd.example',
        'big.example.txt',
        'zero.example.txt',
        'picture.png',
        ...(isLong ? [path] : []),
      ];
      execFileSync('tar', [
        '-C',
        join(folder, 'tree'),
        `--format=${format}`,
        '-cf',
        join(folder, 'a.tar'),
        ...names,
      ]);
      const tar = readFileSync(join(folder, 'a.tar'));
      for (const [name, bytes] of [
        ['a.tar', tar],
        ['a.tar.gz', gzipSync(tar)],
      ] as const) {
        const [file] = await findInputs([write(name, bytes)]);
        const { captures, totals } = await readAll(file as InputFile);
        expect(captures.map(({ url, body }) => [url, body?.slice(0, 20).length, body?.length])).toEqual([
          ['https://d.example/robots.txt', 13, 13],
          ['https://big.example/robots.txt', 20, 512_001],
          ['https://zero.example/robots.txt', 0, 0],
          ...(isLong ? [[`https://${long}/robots.txt`, 16, 16]] : []),
        ]);
        expect(totals).toMatchObject({ otherUrls: 1, problems: [] });
      }
      const cut = await readAll({
        path: write('cut.tar', tar.subarray(0, 5000)),
        format: 'tar',
        bytes: 5000,
      });
      expect(cut.totals.problemCounts).toEqual({ 'truncated-record': 1 });
      const damaged = Buffer.from(tar);
      damaged.fill('x', 1536, 1600);
      expect(
        (await readAll({ path: write('damaged.tar', damaged), format: 'tar', bytes: 1 })).totals
          .problemCounts,
      ).toEqual({
        'invalid-record': 1,
      });
      rmSync(join(folder, 'tree'), { recursive: true });
    },
  );

  test('an input that cannot be read is a problem, not an error', async () => {
    const { captures, totals } = await readAll({ path: join(folder, 'gone.warc'), format: 'warc', bytes: 1 });
    expect(captures).toEqual([]);
    expect(totals.problemCounts).toEqual({ 'unreadable-input': 1 });
  });

  test('bytes are counted before and after decompression', async () => {
    const [archive] = await findInputs([join(folder, 'archives/part-1.warc.gz')]);
    const { totals } = await readAll(archive as InputFile);
    expect(totals.inputBytes).toBe(archive?.bytes);
    expect(totals.dataBytes).toBe(writeRobotsTxt('one.example', 'User-agent: *').length);
  });
});
