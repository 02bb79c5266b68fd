import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseError, type SqlDatabase } from '../../../../client/src/internal.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

const SITE = 'origin=https://example.com';
const SETTINGS = { every: 3_600_000, agents: [], notify: [], severity: {} };
/** Requests of every route that reads the database. */
const REQUESTS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', 'sites'],
  ['GET', `site?${SITE}`],
  ['GET', `settings?${SITE}`],
  ['GET', 'events'],
  ['GET', `versions?${SITE}`],
  ['GET', `version?${SITE}&number=1`],
  ['GET', `compare?${SITE}&before=1&after=2`],
  ['GET', `urls?${SITE}`],
  ['POST', 'sites', { origin: 'https://example.com', ...SETTINGS }],
  ['POST', `site?${SITE}`, SETTINGS],
  ['DELETE', `site?${SITE}`],
  ['GET', 'live'],
];

let monitor: TestMonitor;
beforeAll(async () => {
  monitor = await startMonitor(Date.UTC(2026, 0, 1));
});
afterAll(() => monitor.close());

/** Starts a service whose database runs `fail` in place of each statement. */
async function startWith(
  fail: () => Promise<never>,
  limits: { responseTime: number } | object = {},
): Promise<{ service: TestService; logged: string[] }> {
  const db: SqlDatabase = {
    ...{ kind: 'postgres', all: fail, get: fail, run: fail, exec: fail, transaction: fail },
    ...{ reserveConnection: () => db, close: async () => {} },
  };
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (text: string) => void logged.push(text) });
  const service = await startService({ watch: { ...monitor.database, db }, log, limits });
  return { service, logged };
}

async function send({ address }: TestService, [method, path, body]: (typeof REQUESTS)[number]) {
  const response = await fetch(`${address}/v1/watch/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const { code } = (await response.json()) as { code: string };
  return { path, status: response.status, code, retryAfter: response.headers.get('retry-after') };
}

test('a monitor whose database is down responds with 503 and Retry-After, and logs a line without a stack', async () => {
  const { service, logged } = await startWith(async () => {
    throw new DatabaseError(
      'database-unavailable',
      'cannot use the database: connect ECONNREFUSED 192.0.2.1',
      {
        cause: new Error('connect ECONNREFUSED'),
      },
    );
  });
  for (const request of REQUESTS)
    expect(await send(service, request)).toEqual({
      ...{ path: request[1], status: 503, code: 'database-unavailable', retryAfter: '5' },
    });
  const response = await fetch(`${service.address}/v1/watch/sites`);
  // Where the database is concerns only the operator.
  expect(await response.text()).not.toContain('192.0.2.1');
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.filter((line) => line.includes('    at ') || line.includes('"level":50'))).toEqual([]);
  expect(logged[0]).toContain('connect ECONNREFUSED 192.0.2.1');
  // At most one line a second, whatever the number of requests is.
  const before = logged.length;
  const start = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => send(service, ['GET', 'sites'])));
  expect(logged.length - before).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - start) / 1_000));
  await service.app.close();
});

test('a monitor whose database does not respond answers at its deadline', async () => {
  const { service } = await startWith(() => new Promise(() => {}), { responseTime: 100 });
  const responses = await Promise.all(REQUESTS.map((request) => send(service, request)));
  expect(responses.map(({ status, code }) => [status, code])).toEqual(REQUESTS.map(() => [504, 'timeout']));
  await service.app.close();
});
