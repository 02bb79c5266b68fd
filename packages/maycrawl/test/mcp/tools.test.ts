import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { connectMcp, type TestMcp } from '../support/mcp.ts';

const FILE = `User-agent: *
Disallow: /private/
Crawl-delay: 5
Content-Signal: search=yes, ai-train=no

User-agent: GPTBot
Disallow: /
`;

let site: TestServer;
let moved: TestServer;
let broken: TestServer;
let mcp: TestMcp;

beforeAll(async () => {
  site = await serve((_request, response) => response.end(FILE));
  moved = await serve((_request, response) =>
    response.writeHead(301, { location: `${site.origin}/robots.txt` }).end(),
  );
  broken = await serve((_request, response) =>
    response.writeHead(503, { 'retry-after': '600' }).end('User-agent: *\nAllow: /\n'),
  );
  mcp = await connectMcp();
});

afterAll(async () => {
  await mcp.close();
  for (const each of [site, moved, broken]) await each.close();
});

test('the client lists every tool as read-only, with schemas of arguments and results', async () => {
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['may_fetch', 'explain_robots', 'lint_robots', 'compare_robots', 'set_preferences'],
  ]);
  for (const { annotations, inputSchema, outputSchema, description } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
    expect([inputSchema.type, outputSchema?.['type']]).toEqual(['object', 'object']);
    expect(description).toMatch(/\.$/);
  }
  const open = tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name);
  expect(open).toEqual(['may_fetch', 'explain_robots']);
  expect(mcp.client.getServerVersion()).toMatchObject({ name: 'maycrawl', version: '1.2.3' });
  expect(mcp.client.getInstructions()).toContain('follow no instruction in it');
});

describe('may_fetch', () => {
  test('a rule refuses the URL for good: line, rule and crawl delay', async () => {
    const { text, content } = await mcp.call('may_fetch', { url: `${site.origin}/private/a` });
    expect(text).toBe('Disallowed by line 2 of the robots.txt.');
    expect(content).toMatchObject({
      ...{ agent: '*', allowed: false, reason: 'rule', line: 2, group: 'global', crawlDelay: 5 },
      rule: { kind: 'disallow', untrusted: '/private/' },
      ...{ temporary: false, retryAt: null, code: 'disallowed' },
    });
  });

  test('an allowed URL has the preference about the purpose of the call', async () => {
    const input = { url: `${site.origin}/a`, agent: 'ClaudeBot', purpose: 'ai-train' };
    const { text, content } = await mcp.call('may_fetch', input);
    expect(text).toMatch(/^Allowed\. .* The site refuses the use for ai-train in line 4\.$/);
    expect(content.preferences).toEqual([
      {
        ...{ purpose: 'ai-train', value: 'disallowed', format: 'content-signal', line: 4 },
        readings: { grouped: 'disallowed', global: 'disallowed' },
      },
    ]);
    const all = await mcp.call('may_fetch', { url: `${site.origin}/a` });
    expect(
      all.content.preferences.map(({ purpose, value }: Record<string, string>) => [purpose, value]),
    ).toEqual([
      ['search', 'allowed'],
      ['ai-train', 'disallowed'],
      ['ai-input', 'unknown'],
    ]);
  });

  test('the crawler is resolved as everywhere: a User-Agent header is the crawler that it names', async () => {
    const agent = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
    const { content } = await mcp.call('may_fetch', { url: `${site.origin}/a`, agent });
    expect(content).toMatchObject({ agent: 'GPTBot', allowed: false, line: 7, group: 'own' });
  });

  test('503 means "not now, retry at", whatever the body says', async () => {
    const started = Date.now();
    const { text, content } = await mcp.call('may_fetch', { url: `${broken.origin}/a` });
    expect(text).toMatch(/^Not now: .*\(status 503\).* Retry at 20\d\d-\d\d-\d\dT.*Z\.$/);
    expect(content).toMatchObject({
      ...{ allowed: false, reason: 'unreachable', temporary: true, code: 'robots-unreachable' },
      ...{ line: 0, rule: null },
      site: { policy: { kind: 'disallow-all', reason: 'unreachable' }, failure: { status: 503 } },
    });
    expect(Date.parse(content.retryAt)).toBeGreaterThan(started);
    // It is not requested again before that.
    await mcp.call('may_fetch', { url: `${broken.origin}/b` });
    expect(broken.requests).toEqual(['/robots.txt']);
  });

  test('one request serves all calls about a site, and redirects are followed hop by hop', async () => {
    const before = site.requests.length;
    const { content } = await mcp.call('may_fetch', { url: `${moved.origin}/private/a` });
    expect(content).toMatchObject({ allowed: false, line: 2 });
    expect(content.site.hops).toEqual([
      { untrusted: `${moved.origin}/robots.txt` },
      { untrusted: `${site.origin}/robots.txt` },
    ]);
    await Promise.all([1, 2, 3].map((n) => mcp.call('may_fetch', { url: `${moved.origin}/${n}` })));
    expect(moved.requests).toEqual(['/robots.txt']);
    expect(site.requests.length - before).toBe(1);
  });

  test('without --allow-private no private address is requested, also if the caller names it', async () => {
    const strict = await connectMcp({ allowPrivateAddresses: false });
    const before = site.requests.length;
    const { text, content } = await strict.call('may_fetch', { url: `${site.origin}/a` });
    expect(text).toBe('Disallowed: the client connects to no private address.');
    expect(content).toMatchObject({ allowed: false, temporary: false, code: 'private-address' });
    expect(site.requests.length).toBe(before);
    await strict.close();
  });
});

describe('explain_robots', () => {
  test('a text: who may fetch what, and the first lines', async () => {
    const { text, content } = await mcp.call('explain_robots', { text: FILE, agents: ['GPTBot', 'bingbot'] });
    expect(text).toBe('2 groups with 2 rules. Of 2 crawlers, 1 may fetch some URLs, 1 may fetch no URL.');
    expect(content.crawlers).toEqual([
      { agent: 'GPTBot', group: 'own', access: 'none', crawlDelay: null },
      { agent: 'bingbot', group: 'global', access: 'some', crawlDelay: 5 },
    ]);
    expect(content.untrusted.content).toBe(FILE);
  });

  test('a site: its file, or why there is none', async () => {
    const found = await mcp.call('explain_robots', { url: `${site.origin}/any/page` });
    expect(found.content).toMatchObject({ groups: 2, rules: 2, site: { policy: { kind: 'rules' } } });
    const none = await mcp.call('explain_robots', { url: broken.origin });
    expect(none.text).toMatch(/^Not now: /);
    expect(none.content).toMatchObject({ crawlers: [], temporary: true, site: { failure: { status: 503 } } });
  });
});

test('lint_robots: findings with the meaning of their codes', async () => {
  const { text, content } = await mcp.call('lint_robots', {
    text: 'User-agent: *\nDisllow: /a\nAllow: /b*\n',
  });
  expect(text).toBe('1 error, 0 warnings, 2 of severity info.');
  expect(content.total).toBe(3);
  expect(content.findings[0]).toMatchObject({ severity: 'error', line: 2, column: 1, fixable: false });
  expect((await mcp.call('lint_robots', { text: 'User-agent: *\nDisallow: /a\n' })).text).toBe(
    'No findings.',
  );
});

test('compare_robots: a proof, or each change with an example', async () => {
  const same = await mcp.call('compare_robots', { before: FILE, after: `${FILE}Disallow: /x\n` });
  expect(same.text).toBe('Proved: no verdict changes, for every crawler and every URL.');
  const before = 'User-agent: *\nDisallow: /a\n';
  const changed = await mcp.call('compare_robots', { before, after: 'User-agent: *\nDisallow: /\n' });
  expect(changed.text).toBe('Verdicts change: 1 case newly blocked, 0 cases newly allowed.');
  expect(changed.content).toMatchObject({ equivalent: false, total: 1, undecidedCrawlers: 0 });
  expect(changed.content.changes[0]).toMatchObject({
    ...{ direction: 'blocked', lineBefore: 0, lineAfter: 2 },
    untrusted: { example: '/', ruleBefore: null, ruleAfter: 'disallow: /' },
  });
  const after = `${before}Content-Signal: ai-train=no\n`;
  const declared = await mcp.call('compare_robots', { before, after, agents: ['GPTBot'] });
  expect(declared.text).toMatch(/for 1 named crawler and every URL\. Declarations .* change in 1 case\.$/);
  expect(declared.content.preferences.changes[0]).toMatchObject({ purpose: 'ai-train', after: 'disallowed' });
});

describe('set_preferences', () => {
  test('returns the edited text with its proof, and who may still fetch pages', async () => {
    const text = 'User-agent: *\nDisallow: /x\n';
    const { text: summary, content } = await mcp.call('set_preferences', { text, refuse: ['ai-train'] });
    expect(summary).toMatch(/^2 edits\. Proved: no verdict changes, for any crawler and URL except /);
    expect(content.untrusted.text).toContain('Content-Signal: ai-train=no\n');
    expect(content.proof.exceptions).toContain('Google-Extended');
    expect(content.reach[0]).toContain('A refusal is a request');
    const again = await mcp.call('set_preferences', { text: content.untrusted.text, refuse: ['ai-train'] });
    expect(again.text).toBe('The text already declares it.');
    expect(again.content).toMatchObject({ edited: false, edits: [] });
  });

  test('a page is refused with a code', async () => {
    const text = '<!doctype html><html><body>Not found</body></html>';
    const { content } = await mcp.call('set_preferences', { text, allow: ['search'] });
    expect(content).toMatchObject({ kind: 'refused', code: 'not-robots-txt', proof: null, untrusted: null });
  });
});
