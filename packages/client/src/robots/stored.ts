/**
 * Converts histories of origins to rows of databases: the file as bytes, the rest as JSON, which can contain any characters that a
 * server sends. Names in the JSON are those of the first version, and only this module knows them.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { getPolicyCode, getPolicySummary, type PolicyCode, type PolicySummary } from '@maycrawl/core';
import { boundFreshUntil } from './bounds.ts';
import type { Hop } from './fetch-result.ts';
import type { CachedResponse, OriginHistory, Outage } from './history.ts';
import type { StoreEvent } from './store-event.ts';

/** A history in a row: the response without its file and the outage as JSON, and the file. */
export interface StoredRow {
  readonly answer: string | null;
  readonly outage: string | null;
  readonly body: Uint8Array | null;
}

/** The kinds of results in rows. */
const STORED_KINDS = { successful: 'found', unavailable: 'absent', unreachable: 'unreachable' } as const;

/** The words of policies in databases. */
const STORED_POLICIES = {
  rules: 'rules',
  unavailable: 'absent',
  unreachable: 'unreachable',
  'outage-expired': 'outage-expired',
  unknown: 'unknown',
} as const satisfies Record<PolicyCode, string>;

/** The word of the first version for `outage-expired`. */
const FORMER_OUTAGE = 'outage-allows';

/** A response in JSON. */
type StoredResponse = Omit<CachedResponse, 'bytes' | 'kind' | 'message'> & {
  readonly kind: 'found' | 'absent';
  readonly reason: string | null;
};
type StoredOutage = Omit<Outage, 'message'> & { readonly reason: string };

/** Converts the kind of a result to that of a row. */
export function toStoredKind(kind: StoreEvent['kind']): string {
  return STORED_KINDS[kind];
}

/** Converts the kind of a row. Returns `undefined` if it is invalid. */
export function fromStoredKind(stored: unknown): StoreEvent['kind'] | undefined {
  return findKey(STORED_KINDS, stored);
}

/** Converts a policy to its stored word. */
export function toStoredPolicy(policy: PolicySummary): string {
  return STORED_POLICIES[getPolicyCode(policy)];
}

/** Converts the word of a stored policy. Returns `undefined` if it is invalid. */
export function fromStoredPolicy(stored: unknown): PolicySummary | undefined {
  const code = stored === FORMER_OUTAGE ? 'outage-expired' : findKey(STORED_POLICIES, stored);
  return code && getPolicySummary(code);
}

function findKey<Key extends string>(words: Readonly<Record<Key, string>>, word: unknown): Key | undefined {
  return (Object.keys(words) as Key[]).find((key) => words[key] === word);
}

/** Converts a stored event. An unknown kind, of a damaged row, counts as a failure. */
export function fromStoredEvent(event: StoreEvent): StoreEvent {
  return { ...event, kind: fromStoredKind(event.kind) ?? 'unreachable' };
}

/** Returns the key of an origin: its hash, because an origin can exceed the size limit of an index. */
export function toStoreKey(origin: string): Buffer {
  return createHash('sha256').update(origin).digest();
}

/** Converts a history to a row. */
export function toStored({ response, outage }: OriginHistory): StoredRow {
  const body = response?.kind === 'successful' ? response.bytes : null;
  return {
    answer: response && seal(toStoredResponse(response), body),
    outage: outage && seal(toStoredOutage(outage), null),
    body,
  };
}

function toStoredResponse({ bytes: _, kind, message: reason, ...rest }: CachedResponse): StoredResponse {
  return { ...rest, kind: STORED_KINDS[kind], reason };
}

function toStoredOutage({ message: reason, ...rest }: Outage): StoredOutage {
  return { ...rest, reason };
}

/**
 * Formats JSON with a hash of it and of the file. SQLite has no checksums: a changed bit on the disk can shorten a file or change a
 * time, and leave a valid row.
 */
function seal(value: object, body: Uint8Array | null): string {
  return JSON.stringify({ ...value, hash: getHash(JSON.stringify(value), body) });
}

/** @throws {DamagedError} if the output of {@link seal} was changed. Rows of earlier versions have no hash. */
function unseal<T extends object>(text: string, body: Uint8Array | null): T {
  const value: (T & { readonly hash?: unknown }) | null = JSON.parse(text);
  requireValid(isObject(value));
  const { hash, ...rest } = value as T & { readonly hash?: unknown };
  requireValid(hash === undefined || hash === getHash(JSON.stringify(rest), body));
  return rest as unknown as T;
}

function getHash(json: string, body: Uint8Array | null): string {
  const hash = createHash('sha256').update(json);
  return (body === null ? hash : hash.update(body)).digest('base64url');
}

/** Returns the approximate size of a row in bytes: its JSON is nearly all ASCII. */
export function getStoredSize({ answer, outage, body }: StoredRow): number {
  return (answer?.length ?? 0) + (outage?.length ?? 0) + (body?.length ?? 0);
}

/**
 * Reads a history from a row. Returns `undefined` if the row is damaged: it counts as missing, and the next response replaces it. An
 * invalid part could otherwise apply forever, or allow disallowed URLs.
 */
export function fromStored({ answer, outage, body }: StoredRow): OriginHistory | undefined {
  try {
    // A value of another type would be read as an empty file.
    requireValid(body === null || body instanceof Uint8Array);
    const rest = answer === null ? null : readResponse(unseal(answer, body));
    const isFile = rest?.kind === 'successful';
    // A lost file must become neither an empty nor an unavailable one: both disallow nothing.
    if (rest !== null && isFile !== (body !== null)) return undefined;
    return {
      // A copy: a driver may return a view of a larger buffer.
      response: rest && { ...rest, bytes: Uint8Array.from(isFile && body !== null ? body : []) },
      outage: outage === null ? null : readOutage(unseal(outage, null)),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DamagedError) return undefined;
    throw error;
  }
}

class DamagedError extends Error {}

function readResponse({ kind, reason: message, ...rest }: StoredResponse): Omit<CachedResponse, 'bytes'> {
  const { fetchedAt, freshUntil, headers, status } = rest;
  requireValid(kind === 'found' || kind === 'absent');
  requireValid(isTime(fetchedAt) && isTime(freshUntil) && isObject(headers));
  requireValid(Object.values(headers).every((header) => header === null || typeof header === 'string'));
  requireValid((message === null || typeof message === 'string') && isStatus(status) && isTrace(rest));
  return {
    ...rest,
    kind: kind === 'found' ? 'successful' : 'unavailable',
    message,
    freshUntil: boundFreshUntil(rest),
  };
}

function readOutage({ reason: message, ...rest }: StoredOutage): Outage {
  const { since, lastAt, failures, code, status, retryAt, startsAfter = {} } = rest;
  requireValid(isTime(since) && isTime(lastAt) && (retryAt === null || Number.isSafeInteger(retryAt)));
  requireValid(Number.isSafeInteger(failures) && failures > 0);
  requireValid(isObject(startsAfter) && Object.values(startsAfter).every(isTime));
  requireValid(typeof code === 'string' && typeof message === 'string');
  requireValid(isStatus(status) && isTrace(rest));
  return { ...rest, message };
}

/** @throws {DamagedError} if a check of a row fails. */
function requireValid(isValid: boolean): void {
  if (!isValid) throw new DamagedError();
}

/** Returns whether hops and timings have their types. */
function isTrace({ hops, timings }: Pick<Outage, 'hops' | 'timings'>): boolean {
  return (
    isObject(timings) &&
    Array.isArray(hops) &&
    hops.every(
      (hop: Hop | null) =>
        typeof hop?.url === 'string' && (hop.location === undefined || typeof hop.location === 'string'),
    )
  );
}

function isStatus(value: unknown): boolean {
  return value === null || Number.isSafeInteger(value);
}

/** Returns whether a value is a valid time (ECMA-262, time values): others make each use as a date fail. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(value as number).getTime());
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
