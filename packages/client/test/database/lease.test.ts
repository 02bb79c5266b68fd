import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isLeasedAt, LeaseRenewal, MAX_LEASE } from '../../src/database/lease.ts';
import { joinSql, sql } from '../../src/database/sql.ts';
import { Sqlite } from '../support/sqlite.ts';

const NOW = Date.UTC(2026, 0, 1);

test.each([
  ['no lease', null, 0],
  ['one that has expired', NOW, 0],
  ['one that runs', NOW + 1, 1],
  ['the longest one', NOW + MAX_LEASE, 1],
  ['one of a clock that is wrong', NOW + MAX_LEASE + 1, 0],
])('%s is leased or not', (_name, until, expected) => {
  const database = new Sqlite(':memory:');
  const condition = isLeasedAt('until', sql`${NOW}`);
  const query = sql`select ${condition} as result from (select ${until} as until)`;
  const row = database.prepare(query.toText(() => '?')).get(...query.values) as { result: number };
  expect(row.result).toBe(expected);
  database.close();
});

describe('renewal', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('renews four times while a lease lasts, one at a time, also after a failure, until it is stopped', async () => {
    let calls = 0;
    let isRunning = false;
    const renewal = new LeaseRenewal(async () => {
      expect(isRunning).toBe(false);
      isRunning = true;
      calls++;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      isRunning = false;
      if (calls === 1) throw new Error('the database is away');
    }, 4_000);
    renewal.start();
    renewal.start();
    await vi.advanceTimersByTimeAsync(7_100);
    expect(calls).toBe(4);
    renewal.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toBe(4);
  });
});

test('SQL keeps values apart from the text', () => {
  const query = sql`select ${1} from t where ${sql`a = ${'x'}`} and b in (${joinSql([2, sql`lower(${'Y'})`])})`;
  expect(query.toText((number) => `$${number}`)).toBe(
    'select $1 from t where a = $2 and b in ($3, lower($4))',
  );
  expect(query.values).toEqual([1, 'x', 2, 'Y']);
  expect(joinSql([]).toText(() => '?')).toBe('');
});
