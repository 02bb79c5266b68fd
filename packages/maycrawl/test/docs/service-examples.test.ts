import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { ROOT } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';

const FOLDER = join(ROOT, 'examples/service');
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
  scratch = mkdtempSync(join(tmpdir(), 'maycrawl-examples-'));
  if (hasGo)
    execFileSync('go', ['build', '-o', join(scratch, 'decide'), join(FOLDER, 'decide.go')], { cwd: scratch });
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
  { name: 'Python', isThere: hasPython, command: () => ['python3', join(FOLDER, 'decide.py')] },
  { name: 'Go', isThere: hasGo, command: () => [join(scratch, 'decide')] },
];

for (const { name, isThere, command } of LANGUAGES) {
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
      const urls = Array.from({ length: 20_000 }, (_, index) => `${site.origin}/a${index}`);
      const { code, lines, error } = await decide(
        [service.address, 'Googlebot', '-'],
        [...urls, 'none', ''].join('\n'),
      );
      expect({ code, error, count: lines.length }).toEqual({ code: 2, error: '', count: 20_001 });
      expect(lines.at(-2)).toBe(`allowed\t${site.origin}/a19999\tno-rule-matched`);
      expect(lines.at(-1)).toMatch(/^no answer\tnone\t/);
    });

    test('a token: without it, the client prints one line and exits with 2', async () => {
      const url = `${site.origin}/a`;
      for (const [args, input] of [
        [[guarded.address, 'x', url], ''],
        [[guarded.address, 'x', '-'], `${url}\n`],
      ] as const) {
        const { code, lines, error } = await decide(args, input);
        expect({ code, lines }).toEqual({ code: 2, lines: [] });
        expect(error).toMatch(/^decide: .*unauthorized: send a valid token .*\n$/);
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
        expect(error).toMatch(/^decide: .*connection refused\n$/i);
      }
      expect(await decide([])).toMatchObject({
        code: 2,
        error: expect.stringMatching(/^decide: usage: .*\n$/),
      });
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
      expect(error).toMatch(/^decide: .+\n$/);
      await broken.close();
    });
  });
}

test.skipIf(!hasPython)('one body with several URLs (needs Python)', async () => {
  const [command, ...args] = ['python3', join(FOLDER, 'decide.py'), service.address, 'x'];
  const child = start([command as string], [...args, `${site.origin}/a`, `${site.origin}/b`]);
  const { code, lines } = await child.ended;
  expect(code).toBe(1);
  expect(lines.length).toBe(2);
});

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
    /class Answer[\s\S]*?\n\n\n/.exec(readFileSync(join(FOLDER, 'decide.py'), 'utf8'))?.[0] ?? '';
  expect([...python.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name).sort()).toEqual(fields);
  const go = /type Answer struct \{\n([\s\S]*?)\n\}/.exec(
    readFileSync(join(FOLDER, 'decide.go'), 'utf8'),
  )?.[1];
  const named = [...(go ?? '').matchAll(/^\t(\w+(?:, \w+)*) /gm)].flatMap(([, names]) => names?.split(', '));
  expect(named.map((name) => name?.toLowerCase()).sort()).toEqual(
    fields.map((name) => name.toLowerCase()).sort(),
  );
});

describe('commands of the README', () => {
  const text = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

  test.skipIf(!hasPython || !hasGo).each(blocks)('%s (needs Python and Go)', async (code) => {
    const folder = join(scratch, 'copy');
    cpSync(FOLDER, folder, { recursive: true });
    for (const line of code.trim().split('\n')) {
      const command = line
        .replaceAll('http://127.0.0.1:8080', service.address)
        .replaceAll('https://example.com', site.origin);
      const {
        code: exitCode,
        lines,
        error,
      } = await start(['bash', '-c'], [`cd "${folder}" && ${command}`]).ended;
      expect(error).toBe('');
      const isBuilding = line.startsWith('go build');
      expect([exitCode, lines.length]).toEqual(isBuilding ? [0, 0] : line.includes('/b') ? [1, 2] : [0, 1]);
    }
  });

  test('the README contains commands', () => {
    expect(blocks.length).toBe(2);
  });
});
