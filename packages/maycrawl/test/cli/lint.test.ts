import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Log } from 'sarif';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { BIN, run } from '../support/run.ts';

const FILE = 'Useragent: *\nDisallow: /x\nDisallow: /x/y\nDisallow: /a b\nSitemap: https://h.example/s.xml\n';
let path = '';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-lint-'));
  path = join(folder, 'robots.txt');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('text output shows each finding with its line, and the totals', async () => {
  const { code, stdout, stderr } = await run(['lint', '-'], FILE);
  expect(stdout.split('\n')).toEqual([
    '-',
    expect.stringMatching(
      /^ +1:1 {2}warning {2}"Useragent" is a misspelling .* misspelled-field-name, --fix$/,
    ),
    expect.stringMatching(
      /^ +3:11 {2}info {5}Redundant: line 2 already gives the same verdict .*\. redundant-rule, --fix$/,
    ),
    expect.stringMatching(/^ +4:13 {2}error {4}" " is always percent-encoded .* unencoded-character$/),
    '1 error, 1 warning, 1 note',
    '',
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
});

test('--severity omits less severe findings, and no findings is exit 0', async () => {
  const errors = await run(['lint', '-', '--severity', 'error', '--format', 'json'], FILE);
  expect(JSON.parse(errors.stdout).findings).toMatchObject([
    { code: 'unencoded-character', line: 4, fixable: false },
  ]);
  const clean = await run(['lint', '-'], 'User-agent: *\nDisallow: /x\n');
  expect(clean).toMatchObject({ code: 0, stdout: '-\n0 errors, 0 warnings, 0 notes\n' });
});

test('GitHub format: text from the file cannot end or start an annotation', async () => {
  const { stdout } = await run(
    ['lint', '-', '--format', 'github'],
    'user-agent: *\ndisallow: a%0A::error::x\u001b[31m\n',
  );
  for (const line of stdout.trimEnd().split('\n'))
    expect(line).toMatch(/^::(?:error|warning|notice) file=-,line=2,/);
  expect(stdout).toMatch(
    /^::error file=-,line=2,col=11,endColumn=\d+,title=pattern-without-slash::"a%250A::error::x\\x1b\[31m"/,
  );
});

describe('SARIF', () => {
  const require = createRequire(import.meta.url);
  const main = require.resolve('@microsoft/sarif-multitool-ts');
  const schema = readFileSync(join(dirname(main), '../assets/sarif-2.1.0.schema.json'), 'utf8');
  const validate = addFormats.default(new Ajv2020({ strict: false })).compile<Log>(JSON.parse(schema));

  test('the log is valid against the schema, with rules and locations', async () => {
    writeFileSync(path, FILE);
    const site = await serve((_request, response) => response.end('disallow: /\u001b[31m\n'));
    const odd = join(folder, 'odd [name]\u202e%.txt');
    writeFileSync(odd, 'noise\u0000\n\u00ff: \ud83d\ude00\n');
    const args = [path, odd, `${site.origin}/robots.txt`, '--format', 'sarif'];
    const { stdout } = await run(['lint', ...args]);
    await site.close();
    const log = JSON.parse(stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const [{ tool, results }] = log.runs;
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
    const places = new Set<string>();
    for (const { ruleId, ruleIndex, message, locations } of results) {
      expect(ids[ruleIndex]).toBe(ruleId);
      expect(message.text).not.toBe('');
      const { region, artifactLocation } = locations[0].physicalLocation;
      expect(region.endColumn).toBeGreaterThanOrEqual(region.startColumn);
      places.add(artifactLocation.uri);
    }
    expect([...places]).toEqual([path, encodeURI(odd), `${site.origin}/robots.txt`]);
  });

  test('the log of a file without findings is valid', async () => {
    const { stdout } = await run(['lint', '-', '--format', 'sarif'], 'User-agent: *\nDisallow: /x\n');
    const log = JSON.parse(stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    expect(log.runs[0].results).toEqual([]);
  });

  test.each([
    ['no version', { version: undefined }],
    ['another version', { version: '2.0.0' }],
    ['no tool', { runs: [{ results: [] }] }],
    ['an unknown level', { runs: [runWith({ level: 'bad' })] }],
    ['an unknown field', { runs: [runWith({ severity: 'error' })] }],
    ['no message', { runs: [runWith({ message: undefined })] }],
    ['a line 0', { runs: [runWith({ locations: [placeAt({ startLine: 0 })] })] }],
  ])('the schema detects a broken log: %s', (_name, change) => {
    const sound = { version: '2.1.0', runs: [runWith({ locations: [placeAt({ startLine: 1 })] })] };
    expect(validate(sound)).toBe(true);
    expect(validate(JSON.parse(JSON.stringify({ ...sound, ...change })))).toBe(false);
  });

  function runWith(result: object): object {
    return {
      tool: { driver: { name: 'maycrawl' } },
      results: [{ level: 'note', message: { text: 'x' }, ...result }],
    };
  }

  function placeAt(region: object): object {
    return { physicalLocation: { artifactLocation: { uri: 'robots.txt' }, region } };
  }
});

describe('findings are printed as soon as each file is read', () => {
  test.each(['text', 'github'])('%s', async (format) => {
    writeFileSync(path, FILE);
    let output = '';
    let waiting: ServerResponse | undefined;
    const respondAfterOutput = (): void => {
      if (output !== '') waiting?.end(FILE);
    };
    const site = await serve((_request, response) => {
      waiting = response;
      respondAfterOutput();
    });
    const args = [
      path,
      `${site.origin}/robots.txt`,
      '--format',
      format,
      '--database',
      'none',
      '--timeout',
      '5s',
    ];
    const child = spawn(process.execPath, [BIN, 'lint', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      respondAfterOutput();
    });
    const [code] = await once(child, 'close');
    await site.close();
    expect(code).toBe(1);
    expect(output.match(/misspelled-field-name/g)?.length).toBe(2);
  });

  test('the output has an empty line between files', async () => {
    writeFileSync(path, FILE);
    const { stdout } = await run(['lint', '-', path, '--severity', 'error'], FILE);
    expect(stdout).toMatch(/^-\n.*\n1 error, 0 warnings, 0 notes\n\n\/.*\n.*/);
  });

  test('standard input can be used only once: a second use would be an empty file', async () => {
    expect(await run(['lint', '-', '-'], FILE)).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'maycrawl: only one file can be standard input\n',
    });
  });

  test('an unreadable later file does not remove printed findings; a JSON document is complete or absent', async () => {
    writeFileSync(path, FILE);
    for (const [format, expected] of [
      ['text', /misspelled-field-name/],
      ['github', /misspelled-field-name/],
      ['json', /^$/],
      ['sarif', /^$/],
    ] as const) {
      const { code, stdout, stderr } = await run(['lint', path, 'no-such', '--format', format]);
      expect(stdout).toMatch(expected);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: 'maycrawl: cannot read no-such: no such file\n',
      });
    }
  });
});

test('several files: findings are grouped by file', async () => {
  writeFileSync(path, FILE);
  const good = join(folder, 'good.txt');
  writeFileSync(good, 'User-agent: *\nDisallow: /x\n');
  const { code, stdout } = await run(['lint', good, path, '--severity', 'error', '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject([
    { robots: good, findings: [] },
    { robots: path, findings: [{ line: 4 }] },
  ]);
  expect(code).toBe(1);
});

test('--fix changes the file and proves that no verdict changes', async () => {
  writeFileSync(path, FILE);
  const { code, stdout, stderr } = await run(['lint', path, '--fix']);
  expect(stderr).toBe(`maycrawl: ${path}: 2 findings fixed; no verdict changes\n`);
  expect(readFileSync(path, 'utf8')).toBe(
    'User-agent: *\nDisallow: /x\nDisallow: /a b\nSitemap: https://h.example/s.xml\n',
  );
  expect(stdout).toMatch(/\n1 error, 0 warnings, 0 notes\n$/);
  expect(code).toBe(1);
  expect((await run(['lint', path, '--fix'])).stderr).toBe(`maycrawl: ${path}: nothing to fix\n`);
});

test.each([
  ['no such format', ['-', '--format', 'xml'], /--format must be one of text, json, sarif, github, not xml/],
  ['no such severity', ['-', '--severity', 'bad'], /--severity must be one of info, warning, error, not bad/],
  ['no file to fix', ['-', '--fix'], /--fix requires paths of files/],
  ['no such file', ['no-such'], /cannot read no-such: no such file/],
])('%s: a one-line error with exit code 2', async (_name, args, message) => {
  const { code, stdout, stderr } = await run(['lint', ...args], FILE);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n').length).toBe(1);
});
