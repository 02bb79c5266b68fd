// docs/migrate-from-crawlee.md: its programs, and what Crawlee and the hook decide differently.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { CheerioCrawler, type CheerioCrawlerOptions, Configuration, log } from '@crawlee/cheerio';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestFolder } from '../../../maycrawl/test/support/folder.ts';
import { ROOT } from '../../../maycrawl/test/support/run.ts';
import { createRobotsHook } from '../../src/adapters/crawlee.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { shortenRefusals } from './shorten-refusals.ts';
import { newClient, pathsOf, redirectTo, type Site, startSite } from './site.ts';

const start = (robots?: RequestListener): Promise<Site> => closeAtEnd(startSite(robots));
beforeAll(() => log.setLevel(log.LEVELS.OFF));

async function crawl(urls: readonly string[], options: CheerioCrawlerOptions): Promise<void> {
  const configuration = new Configuration({ persistStorage: false, purgeOnStart: false });
  await new CheerioCrawler({ requestHandler: () => {}, ...options }, configuration).run([...urls]);
}

/** Crawls with Crawlee's own handling. */
const crawlBefore = (site: Site, paths: readonly string[]): Promise<void> =>
  crawl(
    paths.map((path) => `${site.origin}${path}`),
    { respectRobotsTxtFile: { userAgent: 'TestBot' } },
  );

/** Crawls with the hook. */
function crawlAfter(site: Site, paths: readonly string[]): Promise<void> {
  let now = Date.now();
  const client = shortenRefusals(newClient({ now: () => now }), (time) => {
    now = time;
  });
  return crawl(
    paths.map((path) => `${site.origin}${path}`),
    { preNavigationHooks: [createRobotsHook(client)] },
  );
}

/** Responds to the first request for a robots.txt with a status, later with a file. */
function failFirst(status: number): RequestListener {
  let count = 0;
  return (_request, response) => {
    if (count++ === 0) response.writeHead(status).end();
    else response.end('User-agent: *\nDisallow: /private\n');
  };
}

describe('what Crawlee and the hook decide differently', () => {
  test.each([503, 429])(
    'status %i of robots.txt: Crawlee takes the error page for the file and keeps it, the hook waits for the file',
    async (status) => {
      const [before, after] = [await start(failFirst(status)), await start(failFirst(status))];
      await Promise.all([
        crawlBefore(before, ['/private/a', '/private/b']),
        crawlAfter(after, ['/private/a', '/private/b', '/open']),
      ]);
      expect([pathsOf(before).sort(), pathsOf(after)]).toEqual([['/private/a', '/private/b'], ['/open']]);
    },
  );

  test('a redirect to a disallowed URL: Crawlee follows it, the hook does not', async () => {
    const [before, after] = [await start(), await start()];
    await Promise.all([
      crawlBefore(before, [redirectTo('/private/a')]),
      crawlAfter(after, [redirectTo('/private/a')]),
    ]);
    expect([pathsOf(before), pathsOf(after)]).toEqual([
      [redirectTo('/private/a'), '/private/a'],
      [redirectTo('/private/a')],
    ]);
  });

  test('respectRobotsTxtFile without a name: the rules for * apply, with the hook those of the crawler', async () => {
    const name: RequestListener = (_request, response) =>
      void response.end('User-agent: TestBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n');
    const [before, after] = [await start(name), await start(name)];
    await Promise.all([
      crawl([`${before.origin}/a`], { respectRobotsTxtFile: true }),
      crawlAfter(after, ['/a']),
    ]);
    expect([pathsOf(before), pathsOf(after)]).toEqual([['/a'], []]);
  });

  test('the request for robots.txt: Crawlee sends it as a browser, the hook as the client', async () => {
    const agents: (string | undefined)[] = [];
    const record: RequestListener = ({ headers }, response) => {
      agents.push(headers['user-agent']);
      response.end();
    };
    await Promise.all([crawlBefore(await start(record), ['/a']), crawlAfter(await start(record), ['/a'])]);
    expect(agents.sort()).toEqual([expect.stringMatching(/^Mozilla\//), 'TestBot/1.0']);
  });

  test('disallowed links: Crawlee does not add them to the queue, with the hook they fail without a request', async () => {
    const site = await start();
    const client = newClient();
    const failed: string[] = [];
    await crawl([`${site.origin}/`], {
      preNavigationHooks: [createRobotsHook(client)],
      requestHandler: async ({ enqueueLinks }) => void (await enqueueLinks()),
      failedRequestHandler: ({ request }) => void failed.push(new URL(request.url).pathname),
    });
    expect([pathsOf(site), failed]).toEqual([['/', '/link'], ['/private/link']]);
  });
});

test('the programs of the page, before and after, request and report the same pages', async () => {
  const page = readFileSync(join(ROOT, 'docs/migrate-from-crawlee.md'), 'utf8');
  const programs = [...page.matchAll(/^```javascript\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const env = {
    ...process.env,
    ...{ CRAWLEE_PERSIST_STORAGE: 'false', CRAWLEE_LOG_LEVEL: 'OFF' },
    CRAWLEE_STORAGE_DIR: createTestFolder('crawlee'),
  };
  const outputs = await Promise.all(
    programs.map(async (program) => {
      const site = await start();
      const code = program.replaceAll('https://example.com', site.origin);
      const output = await new Promise<string>((resolve) => {
        const args = ['--input-type=module', '-e', code];
        execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) =>
          resolve(`${error?.message ?? ''}${stderr}${stdout.replaceAll(site.origin, '')}`),
        );
      });
      return [pathsOf(site), output.trim().split('\n').sort()];
    }),
  );
  const printed = (reason: string): string[] => ['/page A page', `not requested: /private/page ${reason}`];
  expect(outputs).toEqual([
    [['/page'], printed('robotsTxt')],
    [['/page'], printed('disallowed')],
  ]);
});
