// The clients in clients/: their programs, their own tests, the commands of their documentation, and their types.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { ROOT } from '../../support/run.ts';
import { startService, type TestService } from '../../support/service.ts';

const PYTHON = join(ROOT, 'clients/python');
const GO = join(ROOT, 'clients/go');
const run = promisify(execFile);
const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasGo = spawnSync('go', ['version']).status === 0;

let site: TestServer;
let service: TestService;
let guarded: TestService;
let scratch = '';

beforeAll(async () => {
  site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /b\n'));
  service = await startService();
  guarded = await startService({ tokens: ['secret'] });
  scratch = mkdtempSync(join(tmpdir(), 'maycrawl-clients-'));
  if (hasGo) execFileSync('go', ['build', '-o', join(scratch, 'decide'), './cmd/decide'], { cwd: GO });
});

afterAll(async () => {
  for (const { app } of [service, guarded]) await app.close();
  await site.close();
  rmSync(scratch, { recursive: true });
});

interface ProgramResult {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly error: string;
}

/** Starts a program. */
function start(command: readonly string[], args: readonly string[], token = '') {
  const [program = '', ...first] = command;
  const env = { ...process.env, MAYCRAWL_TOKEN: token };
  const child = spawn(program, [...first, ...args], { env, stdio: 'pipe' });
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    error += chunk;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<ProgramResult>((resolve) => {
    child.on('close', (code) => resolve({ code, lines: out.split('\n').slice(0, -1), error }));
  });
  return { input: child.stdin, getOutput: () => out, ended };
}

const LANGUAGES = [
  {
    name: 'Python',
    isThere: hasPython,
    command: () => ['python3', '-B', join(PYTHON, 'maycrawl_client.py')],
    prefix: 'maycrawl_client',
    test: ['python3', '-B', '-W', 'error', '-m', 'unittest', 'test_maycrawl_client'],
    folder: PYTHON,
  },
  {
    name: 'Go',
    isThere: hasGo,
    command: () => [join(scratch, 'decide')],
    prefix: 'decide',
    test: ['go', 'test', '-count=1', './...'],
    folder: GO,
  },
];

for (const { name, isThere, command, prefix, test: ownTest, folder } of LANGUAGES) {
  const anError = new RegExp(`^${prefix}: .+\\n$`);

  describe.skipIf(!isThere)(`the client in ${name} (needs ${name})`, () => {
    const decide = (args: readonly string[], input = '', token = ''): Promise<ProgramResult> => {
      const { input: stdin, ended } = start(command(), args, token);
      stdin.end(input);
      return ended;
    };

    test('one URL: the client prints the verdict and sets the exit code', async () => {
      const [a, b] = [`${site.origin}/a?x=1&y=ä`, `${site.origin}/b`];
      expect(await decide([service.address, 'Googlebot', a])).toEqual({
        code: 0,
        lines: [`allowed\t${a}\tno-rule-matched`],
        error: '',
      });
      expect(await decide([service.address, 'Googlebot', b])).toEqual({
        code: 1,
        lines: [`disallowed\t${b}\tline 2: /b`],
        error: '',
      });
    });

    test('a list: results arrive while the list is being sent', async () => {
      const { input, getOutput, ended } = start(command(), [service.address, 'Googlebot', '-']);
      input.write(`${site.origin}/b\n`);
      while (!getOutput().includes('/b\t')) await new Promise((resolve) => setImmediate(resolve));
      input.end(`${site.origin}/a\n`);
      const { code, lines } = await ended;
      expect(code).toBe(1);
      expect(lines.map((line) => line.split('\t')[0])).toEqual(['disallowed', 'allowed']);
    });

    test('a long list: every URL has a verdict, and an invalid URL has no answer', async () => {
      const urls = Array.from({ length: 5_000 }, (_, index) => `${site.origin}/a${index}`);
      const { code, lines, error } = await decide(
        [service.address, 'Googlebot', '-'],
        [...urls, 'none', ''].join('\n'),
      );
      expect({ code, error, count: lines.length }).toEqual({ code: 2, error: '', count: 5_001 });
      expect(lines.at(-2)).toBe(`allowed\t${site.origin}/a4999\tno-rule-matched`);
      expect(lines.at(-1)).toMatch(/^no answer\tnone\t/);
    });

    test('several URLs', async () => {
      const { code, lines } = await decide([service.address, 'x', `${site.origin}/a`, `${site.origin}/b`]);
      expect([code, lines.length]).toEqual([1, 2]);
    });

    test('the tests of the client pass', async () => {
      const [program = '', ...args] = ownTest;
      const env = { ...process.env, MAYCRAWL_SERVICE: service.address, MAYCRAWL_SITE: site.origin };
      const { stdout, stderr } = await run(program, args, { cwd: folder, env });
      expect(stdout + stderr).toMatch(/^ok\b/im);
    });

    test('a token: without it, the client prints one line and exits with 2', async () => {
      const url = `${site.origin}/a`;
      for (const [args, input] of [
        [[guarded.address, 'x', url], ''],
        [[guarded.address, 'x', '-'], `${url}\n`],
      ] as const) {
        const { code, lines, error } = await decide(args, input);
        expect({ code, lines }).toEqual({ code: 2, lines: [] });
        expect(error).toMatch(anError);
        expect(error).toContain(': unauthorized: send a valid token ');
        expect((await decide(args, input, 'secret')).code).toBe(0);
      }
    });

    test('a service that does not run: the client prints one line and exits with 2', async () => {
      const gone = await serve(() => {});
      await gone.close();
      for (const [url, input] of [
        ['http://h/', ''],
        ['-', 'http://h/\n'],
      ] as const) {
        const { code, lines, error } = await decide([gone.origin, 'x', url], input);
        expect({ code, lines }).toEqual({ code: 2, lines: [] });
        expect(error).toMatch(anError);
        expect(error).toMatch(/connection refused\n$/i);
      }
      const { code, error } = await decide([]);
      expect(code).toBe(2);
      expect(error).toMatch(anError);
      expect(error).toContain(': usage: ');
    });

    test('a client retries after Retry-After, and the service can be below a path', async () => {
      let count = 0;
      const busy = await serve((_request, response) => {
        count++;
        const answer = {
          url: 'u',
          agent: 'x',
          profile: 'google',
          allowed: true,
          line: 0,
          reason: 'unavailable',
        };
        if (count < 3) response.writeHead(count === 1 ? 503 : 429, { 'retry-after': '0' }).end();
        else response.end(JSON.stringify(answer));
      });
      const { code, lines } = await decide([`${busy.origin}/robots`, 'x', 'u']);
      expect({ code, lines }).toEqual({ code: 0, lines: ['allowed\tu\tunavailable'] });
      expect(busy.requests.length).toBe(3);
      expect(busy.requests[0]).toMatch(/^\/robots\/v1\/decide\?/);
      await busy.close();
    });

    test('the client reports a truncated response', async () => {
      const broken = await serve((request, response) => {
        request.once('data', () => {
          response.write('{"url": "u", "allowed": true, "line": 0, "reason": "unavailable"}\n', () =>
            response.destroy(),
          );
        });
      });
      const { code, error } = await decide([broken.origin, 'x', '-'], 'u\nv\n');
      expect(code).toBe(2);
      expect(error).toMatch(anError);
      await broken.close();
    });
  });
}

test('the types of the clients have the fields of the schema', async () => {
  const { body } = await service.get('/openapi.json');
  const at = [
    'paths',
    '/v1/decide',
    'get',
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
    'properties',
  ];
  const properties = at.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body);
  const fields = [...Object.keys(properties as object), 'error'].sort();
  expect(fields.length).toBeGreaterThan(10);
  const python =
    /class Answer[\s\S]*?\n\n\n/.exec(readFileSync(join(PYTHON, 'maycrawl_client.py'), 'utf8'))?.[0] ?? '';
  expect([...python.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name).sort()).toEqual(fields);
  const go = /type Answer struct \{\n([\s\S]*?)\n\}/.exec(readFileSync(join(GO, 'client.go'), 'utf8'))?.[1];
  const named = [...(go ?? '').matchAll(/^\t(\w+(?:, \w+)*) /gm)].flatMap(([, names]) => names?.split(', '));
  expect(named.map((name) => name?.toLowerCase()).sort()).toEqual(
    fields.map((name) => name.toLowerCase()).sort(),
  );
});

/** The blocks of code of a language in the documentation of a client. */
function readBlocks(folder: string, language: string): string[] {
  const text = readFileSync(join(folder, 'README.md'), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/** Replaces the addresses of the documentation with those of the test. */
const localize = (code: string): string =>
  code.replaceAll('http://127.0.0.1:8080', service.address).replaceAll('https://example.com', site.origin);

describe('the documentation of the clients', () => {
  test.each([
    { name: 'Python', isThere: hasPython, folder: PYTHON, count: 3 },
    { name: 'Go', isThere: hasGo, folder: GO, count: 4 },
  ])('the commands for $name', async ({ name, isThere, folder, count }) => {
    const commands = readBlocks(folder, 'bash').join('').trim().split('\n');
    expect(commands.length).toBe(count);
    if (!isThere) return;
    const copy = join(scratch, name);
    cpSync(folder, copy, { recursive: true });
    for (const command of commands) {
      const { code, lines, error } = await start(['bash', '-c'], [`cd "${copy}" && ${localize(command)}`])
        .ended;
      expect(error).toBe('');
      const isBuilding = command.startsWith('go build');
      expect([code, lines.length]).toEqual(isBuilding ? [0, 0] : command.includes('/b') ? [1, 2] : [0, 1]);
    }
  });

  test.skipIf(!hasPython)('the example in Python (needs Python)', async () => {
    const [example = ''] = readBlocks(PYTHON, 'python');
    const env = { ...process.env, PYTHONPATH: PYTHON };
    const { stdout } = await run('python3', ['-B', '-c', localize(example)], { env });
    expect(stdout).toBe(`True no-rule-matched\nTrue ${site.origin}/a\nFalse ${site.origin}/b\n`);
  });
});
