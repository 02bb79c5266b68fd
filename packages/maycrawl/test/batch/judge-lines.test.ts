import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type JudgeLinesOptions, judgeLines, type ResultLines } from 'maycrawl/batch';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

const ROBOTS = 'User-agent: *\nDisallow: /private\n';

async function collect(lines: string, options?: JudgeLinesOptions): Promise<ResultLines[]> {
  const results: ResultLines[] = [];
  for await (const each of judgeLines([Buffer.from(lines)], options)) results.push(each);
  return results;
}

const getText = (results: readonly ResultLines[]): string =>
  results.map(({ bytes }) => Buffer.from(bytes).toString()).join('');

test('each line in JSON has a result, and an invalid line has an error', async () => {
  const line = JSON.stringify({ robots: ROBOTS, agent: 'Googlebot', url: '/private/x' });
  const results = await collect(`${line}\nnonsense\n`);
  const [first, second] = getText(results)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ allowed: false, line: 2, rule: '/private' });
  expect(second).toMatchObject({ error: { code: 'invalid-json' } });
  expect(results[0]).toMatchObject({ allowed: 0, disallowed: 1, failed: 1 });
});

test('each URL has a result for each agent, as JSON or as text', async () => {
  const urls = { robots: ROBOTS, agents: ['Googlebot', 'GPTBot'] } as const;
  const text = getText(await collect('/private\n/x\n', { urls: { ...urls, format: 'text' } }));
  expect(text).toBe(
    'disallowed\t2\tGooglebot\t/private\ndisallowed\t2\tGPTBot\t/private\nallowed\t-\tGooglebot\t/x\nallowed\t-\tGPTBot\t/x\n',
  );
  const json = getText(await collect('/private\n', { urls })).split('\n')[0] ?? '';
  expect(JSON.parse(json)).toMatchObject({ url: '/private', agent: 'Googlebot', allowed: false, line: 2 });
});

test('an unknown agent or profile is an error at the call', () => {
  expect(() => judgeLines([], { urls: { robots: '', agents: ['ä'] } })).toThrow(RangeError);
  expect(() => judgeLines([], { urls: { robots: '', profile: 'bing' } })).toThrow(/no profile "bing"/);
});

test('an abort stops the input, and the lines read before it have results', async () => {
  const controller = new AbortController();
  const read: number[] = [];
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.from('/x\n');
    })(),
    { objectMode: false },
  );
  let results = 0;
  const options = {
    urls: { robots: ROBOTS },
    signal: controller.signal,
    onRead: (n: number) => read.push(n),
  };
  for await (const { allowed } of judgeLines(endless, options)) {
    results += allowed;
    if (results === 10) controller.abort();
  }
  expect(results).toBe((read.at(-1) ?? 0) / 3);
  expect(endless.destroyed).toBe(true);
});

test('an input error is thrown', async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from('/x\n');
      throw new Error('the disk is gone');
    })(),
  );
  const results: ResultLines[] = [];
  const judged = (async () => {
    for await (const each of judgeLines(broken, { urls: { robots: ROBOTS } })) results.push(each);
  })();
  await expect(judged).rejects.toThrow('the disk is gone');
  expect(getText(results)).toContain('"allowed":true');
});

test('threads judge many lines in input order, and end if the caller stops reading', async () => {
  // The threads run the built files, so the test uses them too.
  const script = `
    import { judgeLines } from 'maycrawl/batch';
    const many = function* () { for (let n = 0; n < 400; n++) yield Buffer.from(('/' + n + '/' + 'x'.repeat(80) + '\\n').repeat(500)); };
    const options = { urls: { robots: '', format: 'text' } };
    let [next, count, isInOrder] = [0, 0, true];
    for await (const { bytes, allowed } of judgeLines(many(), options)) {
      count += allowed;
      for (const line of Buffer.from(bytes).toString().trimEnd().split('\\n')) {
        const n = Number(line.split('/')[1]);
        isInOrder &&= n === next || n === next + 1;
        next = n;
      }
    }
    console.log(count, next, isInOrder);
    let bytes = 0;
    for await (const { bytes: { length } } of judgeLines(many(), options)) if ((bytes += length) > 8e6) break;
    console.log('ended');
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: ROOT },
  );
  expect({ stdout, stderr }).toEqual({ stdout: '200000 399 true\nended\n', stderr: '' });
});

test('each of many lines has the result of its own file', async () => {
  // Threads judge what is beyond 64 MiB. Some lines are longer than a task.
  const script = `
    import { judgeLines } from 'maycrawl/batch';
    const createLine = (id) => {
      const robots = 'User-agent: *\\nDisallow: /' + id + '\\n' + '#'.repeat(id % 200 === 0 ? 300_000 : 8_000);
      return Buffer.from(JSON.stringify({ id, robots, agent: 'a', url: '/' + (id % 3 === 0 ? id : 'x') }) + '\\n');
    };
    const many = function* () { for (let id = 0; id < 10_000; id++) yield createLine(id); };
    let [count, wrong] = [0, 0];
    for await (const { bytes } of judgeLines(many())) {
      for (const line of Buffer.from(bytes).toString().trimEnd().split('\\n')) {
        const { id, allowed } = JSON.parse(line);
        if (id !== count || allowed !== (id % 3 !== 0)) wrong++;
        count++;
      }
    }
    console.log(count, wrong);
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: ROOT },
  );
  expect({ stdout, stderr }).toEqual({ stdout: '10000 0\n', stderr: '' });
});
