import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import { ROBOTS_REPORT } from '../../../src/api/robots-api.ts';
import { run } from '../../support/run.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  // On a busy machine a long proof may take longer than the default.
  service = await startService({ limits: { threadTime: 200_000 } });
});
afterAll(() => service.app.close());

const FILE = 'User-agent: *\nDisallow: /a\nDisallow: /a/b\nUser-agent: Gogglebot\nnoindex: x\n';

test('parse and lint return the results of the commands', async () => {
  const parsed = await run(['parse', '--json', '-'], FILE);
  const { robots, policy, hops, ...report } = JSON.parse(parsed.stdout);
  expect((await service.post('/v1/parse', { robots: FILE })).body).toEqual(report);
  const linted = await run(['lint', '--format', 'json', '-'], FILE);
  const { findings } = JSON.parse(linted.stdout);
  expect(findings.length).toBeGreaterThan(2);
  expect((await service.post('/v1/lint', { robots: FILE })).body).toEqual({ findings });
});

test('parse accepts a file as bytes', async () => {
  const bytes = Buffer.from('User-agent: *\nDisallow: /\xe9\n', 'latin1');
  const { body } = await service.post('/v1/parse', { robotsBase64: bytes.toString('base64') });
  expect(body).toMatchObject({ bytes: bytes.length, groups: [{ rules: [{ value: '/%E9' }] }] });
});

test('diff returns what an edit changes', async () => {
  const { status, body } = await service.post('/v1/diff', {
    before: 'User-agent: *\nDisallow: /a',
    after: 'User-agent: *\nDisallow: /a\nAllow: /a/b',
    agents: ['Googlebot'],
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    equivalent: false,
    changes: [
      {
        agent: 'Googlebot',
        direction: 'allowed',
        example: '/a/b',
        before: { line: 2, rule: 'disallow: /a' },
        after: { line: 3, rule: 'allow: /a/b' },
      },
    ],
    preferences: expect.objectContaining({ equivalent: true, sentences: [], changes: [] }),
  });
});

test('diff returns changed declarations about the use of content', async () => {
  const { body } = await service.post('/v1/diff', {
    before: 'User-agent: *\nAllow: /',
    after: 'User-agent: *\nContent-Usage: train-ai=n\nAllow: /',
    agents: ['GPTBot'],
  });
  expect(body).toMatchObject({
    equivalent: true,
    preferences: {
      equivalent: false,
      sentences: ['AI training newly disallowed for GPTBot (line 2: Content-Usage: train-ai=n)'],
      changes: [
        {
          ...{ purpose: 'ai-train', agents: ['GPTBot'], example: '/', before: { value: 'unknown' } },
          after: { value: 'disallowed', format: 'content-usage', line: 2, text: 'train-ai=n' },
        },
      ],
    },
  });
});

test('a long proof does not block other requests', async () => {
  const entangled = (letter: string): string =>
    `user-agent: *\n${Array.from({ length: 400 }, (_, rule) => `disallow: /*${letter}*${rule % 7}b*c${rule}*d\n`).join('')}`;
  let isProving = true;
  const proof = service.post('/v1/diff', { before: entangled('a'), after: entangled('e') }).finally(() => {
    isProving = false;
  });
  let answered = 0;
  while (isProving) {
    expect((await service.get('/healthz')).status).toBe(200);
    answered++;
  }
  expect((await proof).body).toMatchObject({ equivalent: false });
  // On one thread there would be one or two responses.
  expect(answered).toBeGreaterThan(20);
});

test('robots returns the hops, headers, file and history of a site', async () => {
  const site = await serve((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(301, { location: '/elsewhere' }).end();
    else response.writeHead(200, { 'cache-control': 'max-age=3600', etag: '"1"' }).end(FILE);
  });
  const { status, body } = await service.get(
    `/v1/robots?origin=${encodeURIComponent(`${site.origin}/some/page`)}`,
  );
  expect(status).toBe(200);
  const validate = new Ajv({ formats: { 'date-time': true } }).compile(ROBOTS_REPORT);
  expect([validate(body), validate.errors]).toEqual([true, null]);
  expect(body).toMatchObject({
    origin: site.origin,
    url: `${site.origin}/robots.txt`,
    policy: { kind: 'rules' },
    result: 'successful',
    status: 200,
    code: null,
    hops: [
      { url: `${site.origin}/robots.txt`, status: 301, location: '/elsewhere' },
      { url: `${site.origin}/elsewhere`, status: 200 },
    ],
    headers: { cacheControl: 'max-age=3600', etag: '"1"' },
    outage: null,
    bytes: FILE.length,
    content: Buffer.from(FILE).toString('base64'),
    events: [{ kind: 'successful', status: 200 }],
  });
  await site.close();
});
