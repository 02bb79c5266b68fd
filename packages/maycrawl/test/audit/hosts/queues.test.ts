/** The turns of hosts, with a clock of the test and no requests. */
import { expect, test } from 'vitest';
import { HostQueues, type HostRotation } from '../../../src/audit/crawl/host-queues.ts';
import type { Waiting } from '../../../src/audit/run/records/url.ts';

const OPTIONS = { concurrency: 1, spacing: 0, downTime: 60_000 };
const SLOTS = 64;

/** Hosts with endless URLs, in memory. */
class EndlessHosts implements HostRotation {
  readonly ready: string[];
  readonly excluded: string[] = [];

  constructor(count: number) {
    this.ready = Array.from({ length: count }, (_, index) => `host-${index}`);
  }

  claim(limit: number): string[] {
    return this.ready.splice(0, limit);
  }

  release(host: string): boolean {
    this.ready.push(host);
    return true;
  }

  exclude(host: string): void {
    this.excluded.push(host);
  }
}

const WAITING: Waiting = { key: 0, url: 'http://a/', depth: 0, hops: 0, tries: 0, isTarget: false };

test('hosts whose URLs never end take turns', () => {
  const queues = new HostQueues(OPTIONS, new EndlessHosts(1_000));
  const turns = new Map<string, number>();
  for (let round = 0; round < 100; round++) {
    queues.update(round);
    expect(queues.isContested).toBe(true);
    // The URLs of each host are used up in the round.
    for (const [host, queue] of queues) {
      queue.hasRead = true;
      turns.set(host, (turns.get(host) ?? 0) + 1);
    }
  }
  expect(turns.size).toBe(1_000);
  expect(new Set(turns.values())).toEqual(new Set([6, 7]));
});

test('a host keeps its turn until its URLs were read', () => {
  const queues = new HostQueues(OPTIONS, new EndlessHosts(2 * SLOTS));
  for (let round = 0; round < 3; round++) {
    queues.update(round);
    expect([...queues].map(([host]) => host)).toContain('host-0');
    expect(queues.isContested).toBe(true);
  }
  for (const [, queue] of queues) queue.hasRead = true;
  queues.update(3);
  expect([...queues].map(([host]) => host)).not.toContain('host-0');
});

test('a host without others in line keeps its turn', () => {
  const hosts = new EndlessHosts(SLOTS);
  const queues = new HostQueues(OPTIONS, hosts);
  for (let round = 0; round < 10; round++) {
    queues.update(round);
    for (const [, queue] of queues) queue.hasRead = true;
    expect(queues.isContested).toBe(round === 0);
    expect([...queues].length).toBe(SLOTS);
  }
});

test('a pause ends the turn of a host, which is ready again only after the pause', () => {
  const hosts = new EndlessHosts(SLOTS + 1);
  const queues = new HostQueues({ ...OPTIONS, spacing: 10_000 }, hosts);
  queues.update(0);
  expect(queues.getNextRestEnd(0)).toBeNull();
  for (const [, queue] of queues) {
    queue.next = [WAITING];
    queue.hasRead = true;
    queue.pace.start(0);
    queue.pace.end(1, { milliseconds: 1, isFailure: false, retryAfter: null });
  }
  queues.update(1);
  expect([...queues].map(([host]) => host)).toContain(`host-${SLOTS}`);
  expect([...queues].map(([host]) => host)).not.toContain('host-0');
  expect(queues.getNextRestEnd(1)).toBe(9_999);
  expect(hosts.ready).toEqual([]);
  // It is the host that is ready the longest, but the others still have their turns.
  queues.update(9_999);
  expect(hosts.ready).toEqual([]);
  queues.update(10_000);
  expect(queues.getNextRestEnd(10_000)).toBeNull();
});

test('the failures of a host count from turn to turn, until it gets no further one', () => {
  const hosts = new EndlessHosts(10 * SLOTS);
  const queues = new HostQueues(OPTIONS, hosts);
  let now = 0;
  while (hosts.excluded.length < 10 * SLOTS) {
    queues.update(now);
    for (const [host, queue] of queues) {
      if (queue.pace.isDown) queues.exclude(host);
      else if (queue.pace.wait(now) === 0) {
        queue.next = [WAITING];
        queue.hasRead = true;
        queue.pace.start(now);
        queue.pace.end(now, { milliseconds: 1, isFailure: true, retryAfter: null });
      }
    }
    now += 1_000;
    expect(now).toBeLessThan(10 * 3_600_000);
  }
  expect(new Set(hosts.excluded).size).toBe(10 * SLOTS);
  expect([...queues]).toEqual([]);
});

test('the hosts after the one that found no free request come first', () => {
  const queues = new HostQueues(OPTIONS, new EndlessHosts(4));
  queues.update(0);
  queues.prefer('host-2');
  expect([...queues].map(([host]) => host)).toEqual(['host-2', 'host-3', 'host-0', 'host-1']);
});
