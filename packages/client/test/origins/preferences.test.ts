import { createPolicyToken } from '@maycrawl/core/preferences';
import { expect, test } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve, type TestServer } from '../support/server.ts';

const FILE = [
  'User-agent: *',
  'Content-Usage: train-ai=n, search=y',
  'Disallow: /private/',
  '',
  'User-agent: OtherBot',
  'Content-Usage: train-ai=y',
  'Allow: /',
  '',
  'User-agent: training-preference',
  'Disallow: /drafts/',
].join('\n');

async function start(status = 200): Promise<{ client: RobotsClient; site: TestServer }> {
  const site = await closeAtEnd(serve((_request, response) => response.writeHead(status).end(FILE)));
  const client = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot/1.0 (+https://bot.example)' });
  return { client, site };
}

test('preferences come from the robots.txt of the origin, which is fetched once, and the page is not requested', async () => {
  const { client, site } = await start();
  const url = `${site.origin}/page`;
  const report = await client.preferences(url);
  expect(report).toMatchObject({ url, agent: 'TestBot', crawl: 'allowed' });
  expect(report.purposes['ai-train']).toMatchObject({
    value: 'disallowed',
    format: 'content-usage',
    line: 2,
  });
  expect(report.purposes['search']?.value).toBe('allowed');
  expect((await client.preferences(url, 'OtherBot')).purposes['ai-train']).toMatchObject({
    value: 'allowed',
    line: 6,
  });
  expect((await client.decide(url)).kind).toBe('allowed');
  expect(site.requests).toEqual(['/robots.txt']);
});

test('what the crawler has of the page is read, without a request', async () => {
  const { client, site } = await start();
  const url = `${site.origin}/page`;
  const read = async (options: Parameters<RobotsClient['preferences']>[2]): Promise<unknown> =>
    (await client.preferences(url, 'OtherBot', options)).purposes['ai-train'];
  expect(await read({ headers: [['Content-Usage', 'train-ai=n']] })).toMatchObject({
    value: 'disallowed',
    format: 'content-usage',
    line: null,
  });
  expect(site.requests).toEqual(['/robots.txt']);
});

test('a policy token of the caller decides by its group', async () => {
  const { client, site } = await start();
  const policyTokens = [createPolicyToken('training-preference')];
  const { purposes } = await client.preferences(`${site.origin}/drafts/1`, 'OtherBot', { policyTokens });
  expect(purposes['ai-train']).toMatchObject({ value: 'disallowed', format: 'policy-token', line: 10 });
});

test('preferences do not apply to a URL that is disallowed, or whose robots.txt is unreachable', async () => {
  const { client, site } = await start();
  const disallowed = await client.preferences(`${site.origin}/private/1`);
  expect(disallowed).toMatchObject({
    crawl: 'disallowed',
    purposes: { 'ai-train': { value: 'not-applicable' } },
  });
  const unreachable = await start(503);
  const report = await unreachable.client.preferences(`${unreachable.site.origin}/`);
  expect(report).toMatchObject({
    crawl: 'disallowed',
    purposes: { 'ai-train': { value: 'not-applicable' } },
  });
});

test('an invalid URL, agent or policy token, and an abort reject', async () => {
  const { client, site } = await start();
  await expect(client.preferences('/page')).rejects.toThrow(RangeError);
  await expect(client.preferences(`${site.origin}/`, 'bot!')).rejects.toThrow(RangeError);
  const policyTokens = [createPolicyToken('not a token')];
  await expect(client.preferences(`${site.origin}/`, 'TestBot', { policyTokens })).rejects.toThrow(
    'not a product token',
  );
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await expect(client.preferences(`${site.origin}/`, 'TestBot', { signal })).rejects.toBe(reason);
});
