// Logs for tests: requests in memory, and judging them.
import { GOOGLE, resolveAgent } from '@maycrawl/core';
import { LogCrawlers } from '../../../src/logs/crawlers.ts';
import type { Identity } from '../../../src/logs/identity/identity.ts';
import { judgeLog } from '../../../src/logs/judge-log.ts';
import type { JudgeOptions } from '../../../src/logs/log-judge.ts';
import type { LogReading, LogRequest } from '../../../src/logs/request.ts';
import { Timeline } from '../../../src/logs/rules/timeline.ts';
import type { LogSummary } from '../../../src/logs/summary/log-summary.ts';
import type { CaseRequest, ClassCase } from './cases.ts';

const HOUR = 3_600_000;
export const ORIGIN = 'https://shop.example';

/** Parses a time of a case in milliseconds since 1970. */
export function parseTime(text: string): number {
  return Date.parse(text.includes('-') ? text : `2026-11-20T${text}:00Z`);
}

/** Creates a request of a log. */
export function createRequest(request: Partial<LogRequest>): LogRequest {
  return {
    ...{ time: 0, host: null, method: 'GET', target: '/', status: 200, bytes: 100, crawler: 'GPTBot' },
    ...{ userAgent: 'GPTBot/1.2', address: '192.0.2.1', signature: null },
    ...request,
  };
}

/** Creates a log of requests in memory, in the order of their times. @param start - the time of its first line. */
function createLog(requests: readonly LogRequest[], start?: number): LogReading {
  const [first, last] = [requests[0]?.time ?? null, requests.at(-1)?.time ?? null];
  return {
    async *batches() {
      yield requests;
    },
    counts: {
      ...{ read: requests.length, parsed: requests.length, unparsed: 0 },
      ...{ crawlers: requests.length, visitors: 0 },
    },
    from: start ?? first,
    to: last,
    hasAddresses: requests.some(({ address }) => address !== null),
  };
}

/** Creates the timeline of a case. */
export function createTimeline(robots: ClassCase['robots']): Timeline {
  const versions = typeof robots === 'string' ? { '': robots } : robots;
  return new Timeline(
    Object.entries(versions).map(([from, body]) => ({
      name: from === '' ? 'robots.txt' : new Date(from).toISOString().replace('.000Z', 'Z'),
      from: from === '' ? Number.NEGATIVE_INFINITY : Date.parse(from),
      body: Buffer.from(body),
    })),
  );
}

/** Judges requests. Their identities follow from their addresses. */
export function judge(
  requests: readonly LogRequest[],
  timeline: Timeline,
  options: Partial<JudgeOptions> & { readonly start?: number } = {},
): Promise<LogSummary> {
  const { start, ...rest } = options;
  return judgeLog(createLog(requests, start), {
    sites: [{ origin: ORIGIN, timeline }],
    profile: GOOGLE,
    crawlers: new LogCrawlers(resolveAgent),
    identify: ({ address }) => IDENTITIES.get(address ?? '') ?? 'unchecked',
    ...rest,
  });
}

const IDENTITIES: ReadonlyMap<string, Identity> = new Map([
  ['198.51.100.66', 'spoofed'],
  ['192.0.2.66', 'verified'],
]);

/** Converts a request of a case. */
export function toRequest(request: CaseRequest): LogRequest {
  const { at, target, status = 200, method = 'GET', crawler = 'GPTBot', isSpoofed = false } = request;
  const address = isSpoofed ? '198.51.100.66' : '192.0.2.1';
  return createRequest({
    time: parseTime(at),
    target,
    status,
    method,
    crawler,
    userAgent: `${crawler}/1.0`,
    address,
  });
}

/** The time of the first line of the log of a case. */
export function getLogStart({ logStart, request }: ClassCase): number {
  return logStart === undefined ? parseTime(request.at) - 31 * 24 * HOUR : Date.parse(logStart);
}
