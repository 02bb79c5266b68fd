/** The readings of Python, compared with the module that is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { PYTHON_FIRST_MATCH } from '../../../src/census/read-as/python-first-match.ts';
import { PYTHON_LONGEST_MATCH } from '../../../src/census/read-as/python-longest-match.ts';
import { isAllowedNaively } from '../support/naive-longest-match.ts';

/** Answers one JSON line with one: the verdicts on paths, or `null` if the module fails. */
const PROGRAM = `
import base64, json, sys, urllib.robotparser
for line in sys.stdin:
    question = json.loads(line)
    try:
        parser = urllib.robotparser.RobotFileParser()
        raw = base64.b64decode(question["content"])
        errors = "surrogateescape" if hasattr(parser, "groups") else "strict"
        parser.parse(raw.decode("utf-8", errors).splitlines())
        answer = [parser.can_fetch(question["agent"], "https://host.example" + path) for path in question["paths"]]
    except ValueError:
        answer = None
    print(json.dumps(answer), flush=True)
`;

import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';

const PYTHON = process.env['PYTHON'] ?? 'python3';
/** Whether the module has the parser of RFC 9309, and the version. */
const CHECK =
  'import sys, urllib.robotparser as r; print(hasattr(r.RobotFileParser(), "groups"), *sys.version_info[:3])';
const check = spawnSync(PYTHON, ['-c', CHECK], { encoding: 'utf8' });
const [isNew = '', major, minor, patch] = (check.stdout ?? '').trim().split(' ');
const version = [major, minor, patch].map(Number);
const reading = isNew === 'True' ? PYTHON_LONGEST_MATCH : PYTHON_FIRST_MATCH;
/** urllib.parse reads brackets and white space as in 3.11.4 from there to 3.11.13; other versions differ in rare URLs. */
const isComparable =
  isNew === 'True' || (version[0] === 3 && version[1] === 11 && (version[2] as number) >= 4);

const child = isComparable ? spawn(PYTHON, ['-c', PROGRAM]) : undefined;
const answers = child && createInterface({ input: child.stdout })[Symbol.asyncIterator]();
afterAll(() => {
  child?.stdin.end();
});

async function runPython(content: Uint8Array, agent: string, paths: readonly string[]): Promise<unknown> {
  const question = { content: Buffer.from(content).toString('base64'), agent, paths };
  child?.stdin.write(`${JSON.stringify(question)}\n`);
  return JSON.parse((await answers?.next())?.value as string);
}

const value = fc.oneof(
  fc.constantFrom(
    '/',
    '/p',
    '/p/*x',
    '/*.php$',
    '/?',
    '/p?',
    '/p?a=b&c',
    '/p;v',
    '//host/p',
    'http://h/p',
    '',
  ),
  fc.constantFrom(
    '/%70',
    '/%2F',
    '/%e9',
    '/é',
    '*',
    '/p#',
    '/*',
    '/p*p*p$',
    '/$',
    '/a$b',
    '/**x',
    '/p$*',
    '//[h/',
    '/%ff',
  ),
  fc.string({
    unit: fc.constantFrom('/', 'p', '*', '$', '%', '2', 'F', '?', '=', '&', ';', ':', ' '),
    maxLength: 8,
  }),
);
const line = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('User-agent: ', 'user-agent :', 'Useragent: '),
      fc.constantFrom('*', 'a', 'GPTBot', 'gpt', 'Bot/1', ''),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('Disallow: ', 'Allow: ', 'disallow:', 'Allow'), value)
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '',
    '',
    ' ',
    '# c',
    'Crawl-delay: 1',
    'Request-rate: 1/5',
    'Sitemap: /s',
    '\ufeff',
    '\u00a0',
    'x',
  ),
);
const file = fc
  .tuple(
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom('\n', '\r\n', '\r', '\u2028', '\v'),
    fc.option(fc.constantFrom([0xff], [0xe2, 0x80], [0xc3, 0xa9])),
  )
  .map(([lines, end, tail]) => Buffer.concat([Buffer.from(lines.join(end)), Buffer.from(tail ?? [])]));
const PATHS = [
  '/',
  '/p',
  '/p/x',
  '/p?',
  '/p?a=b&c',
  '/%C3%A9',
  '/%E9',
  '/a.php',
  '/robots.txt',
  '//host/p',
  '/p;v',
  '/%2F',
  '/a$b',
];

test.skipIf(!isComparable)(
  `the reading "${reading.name}" equals the installed urllib.robotparser (skipped without Python 3.11.4 or later)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom('a', 'GPTBot', 'Other', 'Bot/2'), async (content, agent) => {
        const ours = reading.read(content, PATHS);
        const verdicts = ours && PATHS.map((path) => ours.isAllowed?.(agent, path));
        expect(verdicts).toEqual(await runPython(content, agent, PATHS));
      }),
      { numRuns: getFuzzRuns(500) },
    );
  },
);

test('the reading "python-3.15" equals a naive one, which merges groups and searches them for each path', () => {
  fc.assert(
    fc.property(file, fc.constantFrom('a', 'GPTBot', 'Other', 'Bot/2'), (content, agent) => {
      const read = PYTHON_LONGEST_MATCH.read(content, PATHS);
      expect(PATHS.map((path) => read?.isAllowed?.(agent, path))).toEqual(
        PATHS.map((path) => isAllowedNaively(content, agent, path)),
      );
    }),
    { numRuns: getFuzzRuns(500) },
  );
});
