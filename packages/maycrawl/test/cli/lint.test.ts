import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Log, Result, Run } from 'sarif';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { getLineFingerprints } from '../../src/cli/commands/lint/fingerprints.ts';
import ruleHelp from '../../src/text/rule-help.json' with { type: 'json' };
import { BIN, ROOT } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const FILE = 'Useragent: *\nDisallow: /x\nDisallow: /x/y\nDisallow: /a b\nSitemap: https://h.example/s.xml\n';
let path = '';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-lint-'));
  path = join(folder, 'robots.txt');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('text output shows each finding with its line, and the totals', async () => {
  const { code, stdout, stderr } = await runHere(['lint', '-'], FILE);
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

test('a misspelled field is an error with a suggestion in all formats, which --fix does not apply', async () => {
  const file = 'User-agent: *\nDisallow: /a\nDisllow: /b # why\n';
  const text = await runHere(['lint', '-'], file);
  expect(text.stdout.split('\n')[1]).toMatch(
    /^ +3:1 {2}error {4}"Disllow" is not a field name, so crawlers ignore the line\. Did you mean "Disallow"\? unrecognized-field-name$/,
  );
  expect(text.code).toBe(1);
  const suggestion = 'Disallow: /b # why';
  const json = JSON.parse((await runHere(['lint', '-', '--format', 'json'], file)).stdout);
  expect(json.findings).toMatchObject([{ line: 3, severity: 'error', fixable: false, suggestion }]);
  writeFileSync(path, file);
  const log: Log = JSON.parse((await runHere(['lint', path, '--format', 'sarif'])).stdout);
  expect(log.runs[0]?.results?.[0]?.fixes?.[0]?.artifactChanges[0]?.replacements).toEqual([
    { deletedRegion: { startLine: 3 }, insertedContent: { text: suggestion } },
  ]);
  expect((await runHere(['lint', path, '--fix'])).stderr).toContain('nothing to fix');
  expect(readFileSync(path, 'utf8')).toBe(file);
});

test('merge conflict markers are one finding', async () => {
  const file = 'User-agent: *\n<<<<<<< HEAD\nDisallow: /a\n=======\nDisallow: /b\n>>>>>>> new: b\n';
  const { stdout } = await runHere(['lint', '-'], file);
  expect(stdout.split('\n').slice(1, -1)).toEqual([
    expect.stringMatching(
      /^ +2:1 {2}error .* merge conflict markers \(lines 2, 4 and 6\).* merge-conflict-marker$/,
    ),
    '1 error, 0 warnings, 0 notes',
  ]);
});

test('--severity omits less severe findings, and no findings is exit 0', async () => {
  const errors = await runHere(['lint', '-', '--severity', 'error', '--format', 'json'], FILE);
  expect(JSON.parse(errors.stdout).findings).toMatchObject([
    { code: 'unencoded-character', line: 4, fixable: false },
  ]);
  const clean = await runHere(['lint', '-'], 'User-agent: *\nDisallow: /x\n');
  expect(clean).toMatchObject({ code: 0, stdout: '-\n0 errors, 0 warnings, 0 notes\n' });
});

test('GitHub format: text from the file cannot end or start an annotation', async () => {
  const { stdout } = await runHere(
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
  // The schema that OASIS publishes, from a package of Microsoft (MIT licence).
  const main = require.resolve('@microsoft/sarif-multitool-ts');
  const schema = readFileSync(join(dirname(main), '../assets/sarif-2.1.0.schema.json'), 'utf8');
  const validate = addFormats.default(new Ajv2020({ strict: false })).compile<Log>(JSON.parse(schema));

  test('the log is valid against the schema, with rules and locations', async () => {
    writeFileSync(path, FILE);
    const site = await serve((_request, response) => response.end('disallow: /\u001b[31m\n'));
    const odd = join(folder, 'odd [name]\u202e%.txt');
    writeFileSync(odd, 'noise\u0000\n\u00ff: \ud83d\ude00\nDisllow: /\u00fc\n');
    const args = [path, odd, `${site.origin}/robots.txt`, '--format', 'sarif'];
    const { stdout } = await runHere(['lint', ...args]);
    await site.close();
    const log = JSON.parse(stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const [{ tool, results }] = log.runs;
    expect(tool.driver.semanticVersion).toMatch(/^\d+\.\d+\.\d+$/);
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
    const places = new Set<string>();
    for (const { ruleId, ruleIndex, message, locations } of results) {
      expect(ids[ruleIndex]).toBe(ruleId);
      expect(message.text).not.toBe('');
      const { region, artifactLocation } = locations[0].physicalLocation;
      expect(region.endColumn).toBeGreaterThanOrEqual(region.startColumn);
      places.add(artifactLocation.uri);
    }
    expect([...places]).toEqual([
      pathToFileURL(path).href,
      pathToFileURL(odd).href,
      `${site.origin}/robots.txt`,
    ]);
  });

  test('each rule has what GitHub requires, within its limits', async () => {
    const args = ['lint', '-', '--format', 'sarif', '--rules-url', 'https://h.example/docs/rules/'];
    const log: Log = JSON.parse((await runHere(args, FILE)).stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    expect(rules.length).toBeGreaterThan(35);
    for (const rule of rules) {
      expect(rule.name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
      expect(rule.shortDescription?.text).toMatch(/^[A-Z].*[^.]\.$/);
      expect(rule.fullDescription?.text.length).toBeLessThanOrEqual(1000);
      expect(rule.fullDescription?.text).not.toBe('');
      expect(rule.help?.markdown).not.toBe('');
      expect(rule.help?.text).not.toContain('`');
      expect(rule.helpUri).toBe(`https://h.example/docs/rules/${rule.id}.md`);
      expect(existsSync(join(ROOT, 'docs/rules', `${rule.id}.md`))).toBe(true);
      expect(rule.properties?.['problem.severity']).toMatch(/^(?:error|warning|recommendation)$/);
      expect(rule.properties?.tags?.length).toBeLessThanOrEqual(10);
    }
    for (const { level, ruleIndex = -1 } of log.runs[0]?.results ?? [])
      expect(level).toBe(rules[ruleIndex]?.defaultConfiguration?.level);
  });

  test('places are relative to the root of the repository, with fingerprints of their lines', async () => {
    const repository = join(folder, 'repository');
    mkdirSync(join(repository, '.git'), { recursive: true });
    mkdirSync(join(repository, 'public site'));
    writeFileSync(join(repository, 'public site', 'robots.txt'), FILE);
    const args = [BIN, 'lint', 'robots.txt', '--format', 'sarif'];
    const cwd = join(repository, 'public site');
    const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    const log: Log = JSON.parse(stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const [{ locations, partialFingerprints }] = (log.runs as [Run])[0].results as [Result];
    expect(locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'public%20site/robots.txt', uriBaseId: '%SRCROOT%' },
      region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 10 },
    });
    expect(partialFingerprints).toEqual({
      primaryLocationLineHash: getLineFingerprints(Buffer.from(FILE))[0],
    });
  });

  test('beyond the limit of GitHub, the least severe findings are omitted, with a notification', async () => {
    const info = 'Crawl-delay: 5\n'.repeat(25_001);
    const { stdout } = await runHere(
      ['lint', '-', '--format', 'sarif'],
      `User-agent: *\n${info}Disallow: x\n`,
    );
    const log: Log = JSON.parse(stdout);
    const [{ results = [], invocations }] = log.runs as [Run];
    expect(results.length).toBe(25_000);
    expect(results[0]?.ruleId).toBe('pattern-without-slash');
    expect(invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toMatch(/^2 findings omitted/);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
  });

  test('the log of a file without findings is valid', async () => {
    const { stdout } = await runHere(['lint', '-', '--format', 'sarif'], 'User-agent: *\nDisallow: /x\n');
    const log = JSON.parse(stdout);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    expect(log.runs[0].results).toEqual([]);
  });
});

test('the descriptions of findings are those of their pages (npm run rule-help writes them)', () => {
  const args = [join(ROOT, 'scripts', 'write-rule-help.mjs'), '--print'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(ruleHelp).toEqual(JSON.parse(stdout));
});

// The expected values are those of GitHub's upload action (github/codeql-action, src/fingerprints.test.ts).
test.each([
  ['', ['c129715d7a2bc9a3:1']],
  [
    ' a\nb\n  \t\tc\n d',
    ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1'],
  ],
  [
    ' hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n',
    [
      ...['e9496ae3ebfced30:1', 'fb7c023a8b9ccb3f:1', 'ce8ba1a563dcdaca:1', 'e20e36e16fcb0cc8:1'],
      ...['b3edc88f2938467e:1', 'c8e28b0b4002a3a0:1', 'c129715d7a2bc9a3:1'],
    ],
  ],
  [
    'Lorem ipsum dolor sit amet.\n'.repeat(10),
    [
      ...[1, 2, 3, 4, 5, 6].map((count) => `a7f2ff13bc495cf2:${count}`),
      ...['a7f2ff1481e87703:1', 'a9cf91f7bbf1862b:1', '55ec222b86bcae53:1', 'cc97dc7b1d7d8f7b:1'],
      'c129715d7a2bc9a3:1',
    ],
  ],
])('fingerprints of lines are those of GitHub: %j', (text, expected) => {
  expect(getLineFingerprints(Buffer.from(text))).toEqual(expected);
});

test('Code Quality: a list of issues with the fields that GitLab requires, each with its own fingerprint', async () => {
  const { stdout } = await runHere(['lint', '-', '--format', 'code-quality'], `${FILE}Disallow: /a b\n`);
  const issues: { fingerprint: string }[] = JSON.parse(stdout);
  expect(issues[0]).toEqual({
    description: expect.stringContaining('"Useragent" is a misspelling'),
    check_name: 'misspelled-field-name',
    fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    severity: 'minor',
    location: { path: '-', lines: { begin: 1 } },
  });
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
});

test('findings with the same message are one line and one annotation for people, and several for programs', async () => {
  const rules = Array.from({ length: 27 }, (_, index) => `Disallow: /x/${index}\n`).join('');
  const file = `User-agent: *\nDisallow: /x\n${rules}`;
  const text = await runHere(['lint', '-'], file);
  expect(text.stdout).toMatch(
    /^-\n +3:11 {2}info {5}Redundant: .* \(27 times: lines 3-29\) redundant-rule, --fix\n0 errors, 0 warnings, 27 notes\n$/,
  );
  const github = await runHere(['lint', '-', '--format', 'github'], file);
  expect(github.stdout).toMatch(/^::notice file=-,line=3,.*\(27 times: lines 3-29\)\n$/);
  const json = await runHere(['lint', '-', '--format', 'json'], file);
  expect(JSON.parse(json.stdout).findings.length).toBe(27);
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
    const { stdout } = await runHere(['lint', '-', path, '--severity', 'error'], FILE);
    expect(stdout).toMatch(/^-\n.*\n1 error, 0 warnings, 0 notes\n\n\/.*\n.*/);
  });

  test('standard input can be used only once: a second use would be an empty file', async () => {
    expect(await runHere(['lint', '-', '-'], FILE)).toEqual({
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
      const { code, stdout, stderr } = await runHere(['lint', path, 'no-such', '--format', format]);
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
  const { code, stdout } = await runHere(['lint', good, path, '--severity', 'error', '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject([
    { robots: good, findings: [] },
    { robots: path, findings: [{ line: 4 }] },
  ]);
  expect(code).toBe(1);
});

test('--fix changes the file and proves that no verdict changes', async () => {
  writeFileSync(path, FILE);
  const { code, stdout, stderr } = await runHere(['lint', path, '--fix']);
  expect(stderr).toBe(`maycrawl: ${path}: 2 findings fixed; no verdict changes\n`);
  expect(readFileSync(path, 'utf8')).toBe(
    'User-agent: *\nDisallow: /x\nDisallow: /a b\nSitemap: https://h.example/s.xml\n',
  );
  expect(stdout).toMatch(/\n1 error, 0 warnings, 0 notes\n$/);
  expect(code).toBe(1);
  expect((await runHere(['lint', path, '--fix'])).stderr).toBe(`maycrawl: ${path}: nothing to fix\n`);
});

test.each([
  [
    'no such format',
    ['-', '--format', 'xml'],
    /--format must be one of text, json, sarif, github, code-quality, not xml/,
  ],
  ['no such severity', ['-', '--severity', 'bad'], /--severity must be one of info, warning, error, not bad/],
  ['no file to fix', ['-', '--fix'], /--fix requires paths of files/],
  ['no such file', ['no-such'], /cannot read no-such: no such file/],
])('%s: a one-line error with exit code 2', async (_name, args, message) => {
  const { code, stdout, stderr } = await runHere(['lint', ...args], FILE);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n').length).toBe(1);
});
