import { afterEach, expect, test, vi } from 'vitest';
import { refetchRobotsTxt } from '../../../../client/src/robots/fetch.ts';
import { serve } from '../../../../client/test/support/server.ts';
import { getDecisionPath, startService } from '../../support/service.ts';

afterEach(() => void vi.useRealTimers());

test.each([{}, { 'transfer-encoding': 'chunked' }])(
  'an injected request with the headers %j gets its response and does not affect other requests later',
  async (headers) => {
    const { app } = await startService();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect((await app.inject({ url: '/healthz', headers })).statusCode).toBe(200);
    expect((await app.inject({ url: '/none', method: 'POST', payload: {}, headers })).statusCode).toBe(404);
    vi.runAllTimers();
    vi.useRealTimers();
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    await app.close();
  },
);

test('an injected request that is in flight while the service closes gets its response', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
  let closing: Promise<unknown> | undefined;
  const service = await startService({
    fetcher: (...request) => {
      closing = service.app.close();
      return refetchRobotsTxt(...request);
    },
  });
  const { statusCode, body } = await service.app.inject(getDecisionPath(`${site.origin}/a`));
  expect({ statusCode, ...JSON.parse(body) }).toMatchObject({ statusCode: 200, allowed: false });
  await closing;
  await site.close();
});
