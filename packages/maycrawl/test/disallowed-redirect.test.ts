/** A robots.txt that redirects to a URL which another site disallows counts as missing everywhere, and the URL is not requested. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Origins } from '../../client/src/internal.ts';
import { serve, type TestServer } from '../../client/test/support/server.ts';
import { createMonitor } from '../src/watch/monitor.ts';
import { run } from './support/run.ts';
import { getDecisionPath, startService } from './support/service.ts';

let target: TestServer;
let site: TestServer;
beforeAll(async () => {
  target = await serve(({ url }, response) =>
    response.end(
      url === '/robots.txt' ? 'User-agent: *\nDisallow: /other.txt' : 'User-agent: *\nDisallow: /private',
    ),
  );
  site = await serve(({ url }, response) =>
    url === '/robots.txt'
      ? response.writeHead(302, { location: `${target.origin}/other.txt` }).end()
      : response.end('page'),
  );
});
afterAll(async () => {
  expect(target.requests).not.toContain('/other.txt');
  await Promise.all([target.close(), site.close()]);
});

test('for clients without a crawler', async () => {
  const origins = new Origins({ userAgent: 'test', allowPrivateAddresses: true });
  const { policy, history } = await origins.getState(site.origin);
  expect(policy).toEqual({ kind: 'allow-all', reason: 'unavailable' });
  expect(history.response?.code).toBe('disallowed-redirect');
});

test('for the service and the command', async () => {
  const service = await startService();
  expect((await service.get(getDecisionPath(`${site.origin}/private`))).body).toMatchObject({
    allowed: true,
  });
  await service.app.close();
  const args = ['check', '--database', 'none', '--allow-private', '--json', `${site.origin}/private`];
  const { code, stdout } = await run(args);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { allowed: true, reason: 'unavailable' }]);
});

test('for the monitor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-redirect-'));
  const monitor = await createMonitor({
    database: join(folder, 'watch.sqlite'),
    allowPrivateAddresses: true,
  });
  await monitor.add([site.origin]);
  const [report] = await monitor.check([site.origin]);
  expect(report).toMatchObject({ policy: { kind: 'allow-all', reason: 'unavailable' } });
  await monitor.close();
  rmSync(folder, { recursive: true });
});
