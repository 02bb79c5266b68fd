// Checks of data that code of the caller returns: results of fetchers, and histories in stores. Data of another shape must not decide: a
// text in place of bytes would be read as an empty file, and an unknown kind as no file, which both allow everything. Without Node.
import { quoteValue } from '@maycrawl/core/internal';
import { type FetchResult, isFetchCode } from './fetch-result.ts';
import type { CachedResponse, OriginHistory, Outage } from './history.ts';

/** The members of an object that has not been checked. */
type Unchecked<T> = { readonly [Name in keyof T]?: unknown };

/**
 * Requires that a value is the result of a fetch.
 *
 * @throws {TypeError} if it is not. The message names the first wrong member.
 */
export function requireFetchResult(value: FetchResult): FetchResult {
  const wrong = findWrongMember(value);
  if (wrong !== undefined) throw new TypeError(`the fetcher returned no result of a fetch: ${wrong}`);
  return value;
}

function findWrongMember(value: unknown): string | undefined {
  if (!isObject(value)) return quoteValue(value);
  const result = value as Unchecked<Extract<FetchResult, { kind: 'unreachable' }>> & { bytes?: unknown };
  const { kind, saysNotFound, headers = null } = result;
  const isWithoutFile = kind === 'unavailable' || kind === 'unreachable';
  const checks: Readonly<Record<string, boolean>> = {
    kind: isWithoutFile || kind === 'successful' || kind === 'not-modified',
    bytes: kind !== 'successful' || result.bytes instanceof Uint8Array,
    code: !isWithoutFile || isFetchCode(result.code),
    message: !isWithoutFile || typeof result.message === 'string',
    saysNotFound: saysNotFound === undefined || typeof saysNotFound === 'boolean',
    hops: isHops(result.hops),
    headers: headers === null || isHeaders(headers),
    timings: isObject(result.timings),
  };
  const name = Object.keys(checks).find((each) => !checks[each]);
  return name && `the member "${name}" is ${quoteValue((value as Record<string, unknown>)[name])}`;
}

/** Checks whether a value is the history of an origin. */
export function isOriginHistory(value: unknown): value is OriginHistory {
  if (!isObject(value)) return false;
  const { response, outage } = value as Unchecked<OriginHistory>;
  return (response === null || isResponse(response)) && (outage === null || isOutage(outage));
}

/** @throws {TypeError} if a value is not the history of an origin. */
export function requireOriginHistory(value: unknown): asserts value is OriginHistory {
  if (!isOriginHistory(value)) throw new TypeError(`not a history of an origin: ${quoteValue(value)}`);
}

function isResponse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { kind, fetchedAt, staleAt, bytes, code, message, headers, ...trace } =
    value as Unchecked<CachedResponse>;
  return (
    (kind === 'successful' || kind === 'unavailable') &&
    bytes instanceof Uint8Array &&
    isTime(fetchedAt) &&
    isTime(staleAt) &&
    staleAt >= fetchedAt &&
    (code === null || isFetchCode(code)) &&
    isNullOr('string', message) &&
    isHeaders(headers) &&
    isTrace(trace)
  );
}

function isOutage(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { since, lastAt, failures, code, message, retryAt, saysNotFound, startsAfter, ...trace } =
    value as Unchecked<Outage>;
  return (
    isTime(since) &&
    isTime(lastAt) &&
    isTime(failures) &&
    failures > 0 &&
    isFetchCode(code) &&
    typeof message === 'string' &&
    (retryAt === null || isTime(retryAt)) &&
    typeof saysNotFound === 'boolean' &&
    isObject(startsAfter) &&
    Object.values(startsAfter).every(isTime) &&
    isTrace(trace)
  );
}

function isTrace({ status, hops, timings }: Unchecked<Pick<Outage, 'status' | 'hops' | 'timings'>>): boolean {
  return isNullOr('number', status) && isHops(hops) && isObject(timings);
}

function isHops(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((hop: unknown) => isObject(hop) && 'url' in hop && typeof hop.url === 'string')
  );
}

function isHeaders(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => isNullOr('string', each));
}

function isNullOr(type: 'string' | 'number', value: unknown): boolean {
  return value === null || typeof value === type;
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
