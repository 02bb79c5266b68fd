import { afterEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { startService, type TestService } from '../../support/service.ts';

const open: (TestService | TestServer)[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await ('app' in each ? each.app.close() : each.close());
});

async function start(options: Parameters<typeof startService>[0]): Promise<TestService> {
  const service = await startService(options);
  open.push(service);
  return service;
}

async function sendLines(
  { address }: TestService,
  body: string,
  agent = 'x',
): Promise<{ bytes: number; lines: Record<string, unknown>[] }> {
  const response = await fetch(`${address}/v1/decide?${new URLSearchParams({ agent })}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });
  const text = await response.text();
  const lines = text.trimEnd().split('\n');
  return { bytes: text.length, lines: lines.map((line) => JSON.parse(line)) };
}

const FAULTY = { error: { code: 'too-many-invalid-lines' } };

test.each([
  ['that are not objects', '1\n', 'x'],
  ['that are not JSON', '{\n', 'x'],
  ['with invalid URLs', '{"url":""}\n', `token:${'x'.repeat(900)}`],
  ['with an invalid crawler', '{"url":"http://a/","agent":"!"}\n', 'x'],
])('the answers to a body of lines %s end with one that says so', async (_name, line, agent) => {
  const service = await start({ limits: { invalidLines: 100 } });
  const { bytes, lines } = await sendLines(service, line.repeat(700_000), agent);
  expect(lines.length).toBe(102);
  expect(lines.at(-1)).toMatchObject(FAULTY);
  expect(lines.slice(0, -1).filter((each) => each['error'] === undefined)).toEqual([]);
  // Without the limit it would be over 70 MB.
  expect(bytes).toBeLessThan(200_000);
});

test('refused lines count as invalid ones', async () => {
  const service = await start({ limits: { invalidLines: 300 }, rateLimit: 2 });
  const { lines } = await sendLines(service, '{"url":"http://127.0.0.1:1/"}\n'.repeat(5_000));
  expect(lines.length).toBeLessThan(700);
  expect(lines.at(-1)).toMatchObject(FAULTY);
});

test('a body of which at most half of the lines are invalid gets all answers', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a'));
  open.push(site);
  const service = await start({ limits: { invalidLines: 100 } });
  const { lines } = await sendLines(service, `{"url":"${site.origin}/a"}\n1\n`.repeat(1_000));
  expect(lines.filter(({ allowed }) => allowed === false).length).toBe(1_000);
  expect(lines.length).toBe(2_000);
});

test('the tokens of a list have a maximum length together, because each answer names them', async () => {
  const service = await start({});
  const agents = Array.from({ length: 100 }, () => 'x'.repeat(11));
  const { status, body } = await service.post('/v1/decide', { agents, urls: ['http://127.0.0.1:1/'] });
  expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'invalid-agent' });
});
