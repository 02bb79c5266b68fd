import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { getVectorFiles, getVectorIds, readConformanceFile } from '../../../core/test/support/manifest.ts';
import { BIN, ROOT, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

interface Judged {
  readonly code: number | null;
  readonly lines: readonly unknown[];
}

const judgeQuestions = (...questions: unknown[]): Promise<Judged> => judgeWith(run, questions);

/** Judges in this process, for tables: a process of its own for each row takes ten times as long. */
const judgeHere = (...questions: unknown[]): Promise<Judged> => judgeWith(runHere, questions);

async function judgeWith(
  runCommand: typeof run | typeof runHere,
  questions: readonly unknown[],
): Promise<Judged> {
  const input = questions.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  const { code, stdout, stderr } = await runCommand(['batch'], input);
  expect(stderr).toBe('');
  return {
    code,
    lines: stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  };
}

const ROBOTS =
  'User-agent: a\nDisallow: /x\nAllow: /x/y\nUser-agent: b\nDisallow: /z\nUser-agent: *\nDisallow: /é\n';

describe('each question has a result', () => {
  test.each([
    [
      { agent: 'a', url: '/x' },
      { allowed: false, line: 2, rule: '/x', kind: 'disallow', group: 'own' },
    ],
    [
      { agent: 'a', url: '/x/y' },
      { allowed: true, line: 3, rule: '/x/y', kind: 'allow', group: 'own' },
    ],
    [
      { agents: ['a', 'b'], url: '/z' },
      { allowed: false, line: 5, rule: '/z', kind: 'disallow', group: 'own' },
    ],
    [
      { agents: ['c'], url: '/é' },
      { allowed: false, line: 7, rule: '/é', kind: 'disallow', group: 'global' },
    ],
    [
      { agent: 'c', url: '/é', normalize: false },
      { allowed: true, line: 0, rule: null, kind: null, group: 'global' },
    ],
    [
      { agent: 'c', url: 'https://h.example/q' },
      { allowed: true, line: 0, rule: null, kind: null, group: 'global' },
    ],
    [
      { crawler: 'AdsBot-Google', url: '/é' },
      { allowed: true, line: 0, rule: null, kind: null, group: 'none' },
    ],
  ])('%j', async (question, result) => {
    const { code, lines } = await judgeHere({ robots: ROBOTS, ...question });
    expect({ code, lines }).toEqual({ code: 0, lines: [result] });
  });

  test('the file can be base64, and an id of any JSON type is returned', async () => {
    const robotsBase64 = Buffer.from([...Buffer.from('user-agent: a\ndisallow: /'), 0xe9]).toString('base64');
    const { lines } = await judgeQuestions({ id: { n: [1] }, robotsBase64, agent: 'a', url: '/%E9' });
    expect(lines).toEqual([
      { id: { n: [1] }, allowed: false, line: 2, rule: '/\ufffd', kind: 'disallow', group: 'own' },
    ]);
  });

  test('agent is a crawler name, agents are bare tokens, and only the * group applies to an empty agent', async () => {
    const google = { robots: 'user-agent: googlebot\ndisallow: /', url: '/' };
    const extended = { robots: 'user-agent: 360Spider\ndisallow: /', url: '/' };
    const star = { robots: 'user-agent: a\nallow: /\nuser-agent: *\ndisallow: /', url: '/' };
    const { code, lines } = await judgeQuestions(
      { ...google, agent: 'Googlebot-Image' },
      { ...google, agents: ['Googlebot-Image'] },
      { ...google, agent: 'token:Googlebot-Image' },
      { ...extended, agent: '360Spider' },
      { ...extended, agent: '360Spider/1.0 (x)' },
      { ...extended, agents: ['a', '360spider'] },
      { ...star, agent: '' },
      { ...star, agents: [''] },
      { ...star, agents: ['', 'a'] },
    );
    expect(code).toBe(0);
    expect(lines.map((line) => (line as { allowed: boolean }).allowed)).toEqual([
      ...[false, true, true, false, false, true, false, false, true],
    ]);
  });

  test('profile and robotsUrl change the verdict', async () => {
    const base = { robots: 'user-agent: *\ndisallow: x', agent: 'a', url: 'https://h.example/x' };
    const { code, lines } = await judgeQuestions(
      { ...base, profile: 'google-2013' },
      { ...base, profile: 'rfc9309' },
      { ...base, robotsUrl: 'https://other.example/robots.txt' },
    );
    expect(code).toBe(2);
    expect(lines).toMatchObject([{ allowed: false }, { allowed: true }, { error: { code: 'out-of-scope' } }]);
  });
});

describe('an invalid line has an error, and the other lines have results', () => {
  const good = { robots: '', agent: 'a', url: '/' };
  test.each([
    ['no JSON', '{', 'invalid-json'],
    ['an array', [], 'invalid-json'],
    ['a number', 7, 'invalid-json'],
    ['null', 'null', 'invalid-json'],
    ['no robots', { agent: 'a', url: '/' }, 'invalid-field'],
    ['robots twice', { ...good, robotsBase64: '' }, 'invalid-field'],
    ['robots of another type', { ...good, robots: 7 }, 'invalid-field'],
    ['no base64', { ...good, robots: undefined, robotsBase64: 'a b=' }, 'invalid-field'],
    ['no crawler', { robots: '', url: '/' }, 'invalid-field'],
    ['two kinds of crawler', { ...good, agents: ['a'] }, 'invalid-field'],
    ['a crawler that no line can name', { ...good, agent: 'Spider!' }, 'invalid-agent'],
    ['a header that names no crawler', { robots: '', url: '/', agent: 'My Bot' }, 'invalid-agent'],
    ['an empty list', { robots: '', url: '/', agents: [] }, 'invalid-field'],
    ['a list of numbers', { robots: '', url: '/', agents: [7] }, 'invalid-field'],
    ['an unknown crawler', { robots: '', url: '/', crawler: 'Unknown' }, 'unknown-crawler'],
    ['no URL', { robots: '', agent: 'a' }, 'invalid-field'],
    ['an invalid URL', { ...good, url: 'foo' }, 'invalid-url'],
    ['mailto', { ...good, url: 'mailto:a@b' }, 'unsupported-scheme'],
    ['an unknown profile', { ...good, profile: 'bing' }, 'unknown-profile'],
    ['an invalid robotsUrl', { ...good, robotsUrl: 'nonsense' }, 'invalid-field'],
    ['normalize of another type', { ...good, normalize: 'no' }, 'invalid-field'],
  ])('%s', async (_name, bad, code) => {
    const withId = typeof bad === 'object' && !Array.isArray(bad) ? { id: 5, ...bad } : bad;
    const result = await judgeHere(good, withId, good);
    expect(result.code).toBe(2);
    expect(result.lines.length).toBe(3);
    expect(result.lines[1]).toMatchObject({ error: { code, message: expect.stringMatching(/\S/) } });
    if (withId !== bad) expect(result.lines[1]).toMatchObject({ id: 5 });
    expect(result.lines[2]).toMatchObject({ allowed: true });
  });

  test('invalid UTF-8 and excessive nesting do not end the command', async () => {
    const line = Buffer.from(`${JSON.stringify(good)}\n`);
    const latin1 = Buffer.from(
      '{"robots":"user-agent: *\\ndisallow: /\xe9","agent":"a","url":"/%E9"}\n',
      'latin1',
    );
    const deep = Buffer.from(
      `{"id":${'['.repeat(50_000)}${']'.repeat(50_000)},${JSON.stringify(good).slice(1)}\n`,
    );
    const { code, stdout, stderr } = await run(['batch'], Buffer.concat([line, latin1, line, deep, line]));
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each)),
    ).toMatchObject([
      { allowed: true },
      { error: { code: 'invalid-utf8' } },
      { allowed: true },
      { error: { code: 'invalid-json' } },
      { allowed: true },
    ]);
  });

  test('a byte order mark before the first line is ignored', async () => {
    const { code, stdout } = await run(['batch'], `\ufeff${JSON.stringify(good)}\r\n${JSON.stringify(good)}`);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBe(3);
  });

  test('a file of 10 MB has a result', async () => {
    const result = await judgeQuestions({ ...good, robots: '\0'.repeat(10_000_000) });
    expect(result).toMatchObject({ code: 0, lines: [{ allowed: true, line: 0 }] });
  });

  test('a repeated file is distinguished from a similar one', async () => {
    const robots = 'dXNlci1hZ2VudDogYQpkaXNhbGxvdzogLw==';
    const question = { agent: 'a', url: '/' };
    const { lines } = await judgeQuestions(
      { ...question, robots_base64: robots },
      { ...question, robots },
      { ...question, robots_base64: robots, robots },
      { ...question, robots_base64: robots, profile: 'rfc9309' },
      { ...question, robots_base64: robots, agent: 'b' },
      { ...question, robots: '7' },
      { ...question, robots: 7 },
    );
    expect(lines).toMatchObject([
      { allowed: false },
      { allowed: true },
      { error: { code: 'invalid-field' } },
      { allowed: false },
      { allowed: true },
      { allowed: true },
      { error: { code: 'invalid-field' } },
    ]);
  });

  test('empty lines are skipped', async () => {
    expect(await judgeQuestions('', good, '  ', good, '')).toMatchObject({ code: 0, lines: [{}, {}] });
  });

  test('a line that is too long is an error, and the next lines have results', async () => {
    const result = await judgeQuestions(
      good,
      JSON.stringify({ ...good, robots: '#'.repeat(65 * 1024 * 1024) }),
      good,
    );
    expect(result).toMatchObject({
      code: 2,
      lines: [{}, { error: { code: 'line-too-long' } }, { allowed: true }],
    });
  });
});

describe.each(getVectorFiles('decision'))('vectors of %s', (name) => {
  test('verdict and line are equal to the expected ones', async () => {
    const vectors = readConformanceFile(name);
    const { stdout, stderr } = await run(['batch'], vectors);
    expect(stderr).toBe('');
    const expected = vectors
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const actual = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(actual.map(({ id, allowed, line, error }) => ({ id, allowed, line, error: error?.code }))).toEqual(
      expected.map(({ id, allowed, line, error }) => ({ id, allowed, line, error })),
    );
    expect(actual.map(({ id }) => id)).toEqual(getVectorIds(name));
  });
});

test('the lines received so far have results before the command waits for more', async () => {
  const child = spawn(process.execPath, [BIN, 'batch'], { cwd: ROOT, stdio: 'pipe' });
  for (const id of [1, 2, 3]) {
    const result = once(child.stdout, 'data');
    child.stdin.write(`${JSON.stringify({ id, robots: '', agent: 'a', url: '/' })}\n`);
    const [chunk] = (await result) as [Buffer];
    expect(JSON.parse(chunk.toString())).toMatchObject({ id, allowed: true });
  }
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('backpressure: a slow reader slows the input, and no result is lost', async () => {
  const child = spawn(process.execPath, [BIN, 'batch'], { cwd: ROOT, stdio: 'pipe' });
  const question = `${JSON.stringify({ id: 1, robots: `User-agent: a\n${'#'.repeat(2000)}`, agent: 'a', url: '/' })}\n`;
  const count = 60_000;
  let sent = 0;
  const send = (): void => {
    while (sent < count) {
      sent++;
      if (!child.stdin.write(question)) {
        child.stdin.once('drain', send);
        return;
      }
    }
    child.stdin.end();
  };
  send();
  // The test does not read the results, so the command stops reading questions at some point.
  let before = -1;
  await expect
    .poll(
      () => {
        const still = sent === before;
        before = sent;
        return still;
      },
      { interval: 500, timeout: 20_000 },
    )
    .toBe(true);
  expect(sent).toBeLessThan(count);
  let received = 0;
  for await (const chunk of child.stdout)
    received += (chunk as Buffer).filter((byte) => byte === 0x0a).length;
  expect(received).toBe(count);
});

test('memory use is independent of the size of the input', async () => {
  // 200 MB of questions through a heap of 40 MB.
  const args = ['--max-old-space-size=40', BIN, 'batch'];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
  const question = `${JSON.stringify({ robots: `User-agent: a\n${'#'.repeat(20_000)}`, agent: 'a', url: '/' })}\n`;
  const questions = Readable.from(Array.from({ length: 10_000 }, () => question));
  const sent = pipeline(questions, child.stdin);
  let received = 0;
  for await (const chunk of child.stdout)
    received += (chunk as Buffer).filter((byte) => byte === 0x0a).length;
  await sent;
  expect(received).toBe(10_000);
});

test('a closed output ends the command without an error message', async () => {
  const child = spawn('sh', ['-c', `"$0" "${BIN}" batch | head -n 1; `, process.execPath], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  let stderr = '';
  let stdout = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify({ robots: '', agent: 'a', url: '/' })}\n`.repeat(50_000));
  await new Promise((resolve) => child.on('close', resolve));
  expect(stderr).toBe('');
  expect(stdout.split('\n').length).toBe(2);
});
