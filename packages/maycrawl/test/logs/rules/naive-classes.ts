// The naive oracle: it keeps all requests, and looks everything up again for each of them.
import { decide } from '@maycrawl/core';
import type { LogRequest } from '../../../src/logs/request.ts';
import type { RequestClass } from '../../../src/logs/rules/classify.ts';
import type { Version } from '../../../src/logs/rules/timeline.ts';

const DAY = 86_400_000;
const ORIGIN = 'https://shop.example';

/** Returns the class of the request at an index; with `read` for a violation. All requests are of one site. */
export function classifyNaively(
  requests: readonly LogRequest[],
  index: number,
  versions: readonly Version[],
  logStart: number,
): RequestClass | `violation ${'yes' | 'never' | 'unknown'}` {
  const { time, target, crawler } = requests[index] as LogRequest;
  if (target === '/robots.txt') return 'robots-txt';
  const fetches = requests
    .slice(0, index)
    .filter((each) => each.crawler === crawler && each.target === '/robots.txt' && each.method === 'GET');
  const isRedirect = (status: number | null): boolean =>
    status !== null && status >= 300 && status <= 399 && status !== 304;
  const last = fetches.filter(({ status }) => !isRedirect(status)).at(-1);
  const isRead = (status: number | null): boolean =>
    status === 304 || (status !== null && status >= 200 && status <= 299);
  if (last !== undefined && !isRead(last.status)) {
    const { status } = last;
    return status !== null && status >= 400 && status <= 499 && status !== 429 ? 'allowed' : 'outage';
  }
  const servedAt = (at: number): Version | undefined =>
    versions.filter(({ from }) => from <= at).sort((a, b) => b.from - a.from)[0];
  const isFresh = last !== undefined && time - last.time <= DAY;
  const possible = isFresh
    ? [servedAt(last.time)]
    : [servedAt(time - DAY), ...versions.filter(({ from }) => from > time - DAY && from <= time)];
  const isAllowed = (version: Version): boolean => {
    const url = ORIGIN + target;
    return [true, false].some((normalize) => {
      const verdict = decide(version.body, crawler, url, { normalize });
      return verdict.kind === 'allowed';
    });
  };
  const existing = possible.filter((version) => version !== undefined);
  const newest = servedAt(time);
  if (newest === undefined || existing.length === 0) return 'unknown-version';
  if (existing.some(isAllowed)) return isAllowed(newest) ? 'allowed' : 'grace';
  if (existing.length < possible.length) return 'unknown-version';
  const deciding = existing.sort((a, b) => b.from - a.from)[0];
  const lastRead = fetches.filter(({ status }) => isRead(status)).at(-1);
  if (lastRead !== undefined && servedAt(lastRead.time) === deciding) return 'violation yes';
  const isCovered = logStart <= time - DAY && fetches.every((each) => each.time < time - DAY);
  return isCovered ? 'violation never' : 'violation unknown';
}
