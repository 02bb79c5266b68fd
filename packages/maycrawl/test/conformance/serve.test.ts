/** The command: its sites, its reports, and how it ends. */
import { expect, test, vi } from 'vitest';
import { openConformanceServer } from '../../src/conformance/conformance-server.ts';
import { runHere } from '../support/run-here.ts';

test('an outage is judged by the response to each request for robots.txt, and waiting by Retry-After', async () => {
  let now = 0;
  const server = await openConformanceServer({ port: 0, scenarios: ['outage-ends'], now: () => now });
  try {
    const [start = ''] = server.starts;
    const request = async (path: string): Promise<number> => (await fetch(new URL(path, start))).status;
    expect(await request('/robots.txt')).toBe(503);
    now = 999;
    expect(await request('/open/1')).toBe(200);
    now = 1_000;
    expect(await request('/robots.txt')).toBe(503);
    now = 2_000;
    expect(await request('/robots.txt')).toBe(200);
    expect(await request('/open/2')).toBe(200);
    expect(await request('/robots.txt')).toBe(200);
    const [report] = server.getReport();
    expect(report).toMatchObject({
      robotsRequests: 4,
      pageRequests: 2,
      earlyRequests: 1,
      rfc9309: { outcome: 'failed', forbidden: ['/open/1'], missed: [] },
    });
  } finally {
    await server.close();
  }
});

test('a request with the ETag of the file gets 304, and counts as conditional', async () => {
  const server = await openConformanceServer({ port: 0, scenarios: ['validators'] });
  try {
    const url = new URL('/robots.txt', server.starts[0]);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { headers: { 'if-none-match': '"1"' } })).status).toBe(304);
    expect(server.getReport()[0]).toMatchObject({ robotsRequests: 2, conditionalRequests: 1, cached: null });
  } finally {
    await server.close();
  }
});

test('paths without a link are 404, also names of the prototype, and do not change the outcome', async () => {
  const server = await openConformanceServer({ port: 0, scenarios: ['redirects-5'] });
  try {
    const [start = ''] = server.starts;
    for (const path of ['/__proto__', '/constructor', '/private/3', '/favicon.ico'])
      expect((await fetch(new URL(path, start))).status).toBe(404);
    expect(server.getReport()[0]).toMatchObject({ otherRequests: 4, rfc9309: { outcome: 'not-visited' } });
  } finally {
    await server.close();
  }
});

test('the servers listen on 127.0.0.1 only', async () => {
  const server = await openConformanceServer({ port: 0, scenarios: ['status-200'] });
  try {
    for (const url of [server.url, ...server.starts])
      await expect(fetch(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
  } finally {
    await server.close();
  }
});

test('conformance serve lists its sites, reports at any time, and prints the report at the end', async () => {
  const command = runHere('conformance serve --port 0 --scenario status-503 --json');
  const written = vi.mocked(process.stderr.write);
  const ended = command.then(({ stderr }) => expect.fail(stderr));
  ended.catch(() => {});
  const getAddress = (): string | undefined =>
    /http:\/\/127\.0\.0\.1:\d+(?=\/ )/.exec(written.mock.calls.join(''))?.[0];
  await Promise.race([ended, expect.poll(getAddress).toBeDefined()]);
  const list = getAddress();
  const get = async (path: string): Promise<string> => (await fetch(`${list}${path}`)).text();
  const start = (await get('/urls.txt')).trim();
  expect(await get('/')).toContain(`<a href="${start}">status-503</a>`);
  expect(await get('/report')).toContain('RFC 9309: 1 not-visited\n');
  await fetch(`${start}robots.txt`);
  await fetch(`${start}private/1`);
  expect(await get('/report')).toContain(
    'failed: status-503, 503, with a body that allows all URLs\n' +
      '  1 request for robots.txt; 1 request for pages\n' +
      '  forbidden by RFC 9309 section 2.3.1.4: /private/1\n',
  );
  const shown = JSON.parse(await get('/report.json'));
  process.emit('SIGINT');
  const { code, stdout, stderr } = await command;
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual(shown);
  expect(shown.scenarios[0]).toMatchObject({ id: 'status-503', google: { outcome: 'failed' } });
  expect(stderr).toContain(`1 site: ${list}/`);
});

test('conformance serve ends after the idle time; without any request the exit code is 2', async () => {
  const { code, stdout } = await runHere('conformance serve --port 0 --scenario status-200 --idle 1s');
  expect(code).toBe(2);
  expect(stdout).toContain('not-visited: status-200, 200\n');
});

test.each([
  ['--scenario nothing', /there is no scenario nothing; the scenarios are status-200/],
  ['--agent Bot/1.0', /--agent must be a product token/],
  ['--profile google-2013', /--profile must be one of rfc9309, google/],
])('conformance serve %s is an error', async (args, message) => {
  const { code, stderr } = await runHere(`conformance serve --port 0 ${args}`);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
