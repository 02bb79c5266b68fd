// The module and the program of docs/migrate-from-urllib-robotparser.md run with Python, and the table of differences is compared with urllib.robotparser.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { createTestFolder } from '../support/folder.ts';
import { ROOT } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';

const python = spawnSync('python3', ['--version'], { encoding: 'utf8' });
const guide = readFileSync(join(ROOT, 'docs/migrate-from-urllib-robotparser.md'), 'utf8');
const [pythonModule = '', program = ''] = [...guide.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);
const folder = createTestFolder('robotparser');

/** What a call returns, or the class of what it raises. */
type Outcome = boolean | string;

interface Difference {
  readonly name: string;
  /** The robots.txt, or what responds in its place; `null`: no server. */
  readonly robots: string | Buffer | number | null;
  readonly path: string;
  readonly agent?: string;
  readonly before: Outcome;
  readonly after: Outcome;
}

const DIFFERENCES: readonly Difference[] = [
  {
    name: 'wildcards',
    robots: 'User-agent: *\nDisallow: /*.pdf$',
    path: '/a.pdf',
    before: true,
    after: false,
  },
  {
    ...{ name: 'a longer allow rule that comes later', robots: 'User-agent: *\nDisallow: /\nAllow: /public' },
    ...{ path: '/public', before: false, after: true },
  },
  {
    ...{
      name: 'a longer disallow rule that comes later',
      robots: 'User-agent: *\nAllow: /\nDisallow: /private',
    },
    ...{ path: '/private', before: true, after: false },
  },
  {
    ...{ name: 'a group whose name is a part of the agent', robots: 'User-agent: bot\nDisallow: /' },
    ...{ path: '/a', agent: 'MyRobot', before: false, after: true },
  },
  {
    ...{ name: 'two groups', robots: 'User-agent: MyBot\nDisallow: /a\n\nUser-agent: MyBot\nDisallow: /b' },
    ...{ path: '/b', before: true, after: false },
  },
  {
    ...{ name: 'an empty line before the rules', robots: 'User-agent: *\n\nDisallow: /' },
    ...{ path: '/a', before: true, after: false },
  },
  {
    ...{
      name: 'a file that is not UTF-8',
      robots: Buffer.from('User-agent: *\nDisallow: /a # caf\xe9', 'latin1'),
    },
    ...{ path: '/a', before: 'UnicodeDecodeError', after: false },
  },
  { name: 'status 401', robots: 401, path: '/a', before: false, after: true },
  { name: 'status 403', robots: 403, path: '/a', before: false, after: true },
  { name: 'status 429', robots: 429, path: '/a', before: true, after: false },
  { name: 'status 503', robots: 503, path: '/a', before: false, after: false },
  { name: 'no connection', robots: null, path: '/a', before: 'URLError', after: false },
  {
    ...{ name: 'an agent that no user-agent line can name', robots: 'User-agent: *\nDisallow: /' },
    ...{ path: '/a', agent: 'bot!', before: false, after: 'HTTPError' },
  },
];

/** Prints the outcomes of both parsers for each line of standard input: the URL of a robots.txt, the agent and the path, separated by tabs. */
const COMPARISON = `
import json, sys, urllib.robotparser
import robots

def decide(module, url, agent, path):
    try:
        parser = module.RobotFileParser(url)
        parser.read()
        return parser.can_fetch(agent, url.replace("/robots.txt", path))
    except Exception as error:
        return type(error).__name__

for line in sys.stdin.read().splitlines():
    case = line.split("\\t")
    print(json.dumps([decide(urllib.robotparser, *case), decide(robots, *case)]))
`;

/** Runs a program in Python, beside the module. */
async function runPython(code: string, input = ''): Promise<string> {
  const running = promisify(execFile)('python3', ['-c', code], { cwd: folder });
  running.child.stdin?.end(input);
  const { stdout, stderr } = await running;
  expect(stderr).toBe('');
  return stdout;
}

function toListener(robots: Difference['robots'], agents: (string | undefined)[]): RequestListener {
  return (request, response) => {
    if (request.url === '/robots.txt') agents.push(request.headers['user-agent']);
    if (typeof robots === 'number') response.writeHead(robots).end();
    else response.end(robots ?? '');
  };
}

describe.skipIf(python.status !== 0)(
  'docs/migrate-from-urllib-robotparser.md (skipped without python3)',
  () => {
    let service: TestService;
    const sites: TestServer[] = [];
    const agents: (string | undefined)[] = [];

    beforeAll(async () => {
      service = await startService({ userAgent: 'MyBot/1.0 (+https://my.example/bot)' });
      writeFileSync(
        join(folder, 'robots.py'),
        pythonModule.replace('http://127.0.0.1:8080', service.address),
      );
      for (const { robots } of DIFFERENCES) sites.push(await serve(toListener(robots, agents)));
      for (const [index, { robots }] of DIFFERENCES.entries())
        if (robots === null) await sites[index]?.close();
    });
    afterAll(async () => {
      await Promise.all(sites.map((site) => site.close().catch(() => {})));
      await service.app.close();
    });

    test('the program prints the verdict and its reason', async () => {
      const site = await serve(
        toListener('User-agent: *\nDisallow: /b\nCrawl-delay: 2\nSitemap: https://h.example/s', []),
      );
      const more =
        '\nprint(robots.can_fetch("MyBot", "/b"), robots.crawl_delay("MyBot"), robots.site_maps())';
      const output = await runPython((program + more).replaceAll('https://example.com', site.origin));
      await site.close();
      expect(output).toBe("True\nno-rule-matched\nFalse 2 ['https://h.example/s']\n");
    });

    // Later versions of Python may read robots.txt in another way.
    test.skipIf(!/ 3\.1[0-3]\./.test(python.stdout))(
      'both parsers decide as the table says (skipped before Python 3.10, and from 3.14 on)',
      async () => {
        const input = DIFFERENCES.map(
          ({ agent = 'MyBot', path }, index) => `${sites[index]?.origin}/robots.txt\t${agent}\t${path}\n`,
        );
        const outcomes = (await runPython(COMPARISON, input.join(''))).trim().split('\n');
        const found = DIFFERENCES.map(({ name }, index) => [name, ...JSON.parse(outcomes[index] ?? '[]')]);
        expect(found).toEqual(DIFFERENCES.map(({ name, before, after }) => [name, before, after]));
        expect(new Set(agents.map((agent) => agent?.split(/[/ ]/, 1)[0]))).toEqual(
          new Set(['Python-urllib', 'MyBot']),
        );
      },
    );
  },
);
