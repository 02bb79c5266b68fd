/**
 * The form in which databases store the history of an origin: the file as bytes, all else as JSON, which every database stores
 * whatever characters a server sent. The names in the JSON are those of the first version, so rows of all versions are alike: this
 * module is the only one that knows them.
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

/** Kinds as rows have them. */
const STORED_KINDS = { successful: 'found', unavailable: 'absent', unreachable: 'unreachable' } as const;

/** The kind of a result in a row. */
export type StoredKind = (typeof STORED_KINDS)[keyof typeof STORED_KINDS];

/** A response as JSON has it. */
type StoredResponse = Omit<CachedResponse, 'bytes' | 'kind' | 'message'> & {
  readonly kind: 'found' | 'absent';
  readonly reason: string | null;
};
type StoredOutage = Omit<Outage, 'message'> & { readonly reason: string };

/** Converts the kind of a result to that of a row. */
export function toStoredKind(kind: StoreEvent['kind']): StoredKind {
  return STORED_KINDS[kind];
}

/** Converts the kind of a row. Returns `undefined` if it is none. */
export function fromStoredKind(stored: unknown): StoreEvent['kind'] | undefined {
  const kinds = Object.keys(STORED_KINDS) as StoreEvent['kind'][];
  return kinds.find((kind) => STORED_KINDS[kind] === stored);
}

/** Policies as databases have them, in one word. */
const STORED_POLICIES: Readonly<Record<PolicyCode, string>> = {
  rules: 'rules',
  unavailable: 'absent',
  unreachable: 'unreachable',
  'outage-expired': 'outage-expired',
  unknown: 'unknown',
};

/** Converts a policy to its stored word. */
export function toStoredPolicy(policy: PolicySummary): string {
  return STORED_POLICIES[getPolicyCode(policy)];
}

/** The word of the first version for `outage-expired`. */
const FORMER_OUTAGE = 'outage-allows';

/** Converts the word of a stored policy. Returns `undefined` if it is none. */
export function fromStoredPolicy(stored: unknown): PolicySummary | undefined {
  const word = stored === FORMER_OUTAGE ? STORED_POLICIES['outage-expired'] : stored;
  const codes = Object.keys(STORED_POLICIES) as PolicyCode[];
  const code = codes.find((each) => STORED_POLICIES[each] === word);
  return code && getPolicySummary(code);
}

/** Converts a stored event. An unknown kind, of a damaged row, counts as a failure. */
export function fromStoredEvent(event: StoreEvent): StoreEvent {
  return { ...event, kind: fromStoredKind(event.kind) ?? 'unreachable' };
}

/** Returns the key of an origin: its hash, since an origin can be longer than an index allows. */
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
  return { ...rest, kind: kind === 'successful' ? 'found' : 'absent', reason };
}

function toStoredOutage({ message: reason, ...rest }: Outage): StoredOutage {
  return { ...rest, reason };
}

/**
 * Writes JSON with a hash of it and of the file. SQLite has no checksums: a bit that has changed on the disk can make a file shorter,
 * or a time later, and the row is a valid one all the same.
 */
function seal(value: object, body: Uint8Array | null): string {
  return JSON.stringify({ ...value, hash: getHash(JSON.stringify(value), body) });
}

/** @throws {DamagedError} if what {@link seal} wrote has changed. Rows of earlier versions have no hash. */
function unseal<T extends object>(text: string, body: Uint8Array | null): T {
  const value: (T & { readonly hash?: unknown }) | null = JSON.parse(text);
  must(isObject(value));
  const { hash, ...rest } = value as T & { readonly hash?: unknown };
  must(hash === undefined || hash === getHash(JSON.stringify(rest), body));
  return rest as unknown as T;
}

function getHash(json: string, body: Uint8Array | null): string {
  const hash = createHash('sha256').update(json);
  return (body === null ? hash : hash.update(body)).digest('base64url');
}

/** The size of a row in bytes, about: its JSON is nearly all ASCII. */
export function sizeOfStored({ answer, outage, body }: StoredRow): number {
  return (answer?.length ?? 0) + (outage?.length ?? 0) + (body?.length ?? 0);
}

/**
 * Reads a history from a row. Returns `undefined` if the row is damaged: then nothing is stored, and the next response replaces it. A
 * part that is not what it must be could otherwise apply forever, or allow what is disallowed.
 */
export function fromStored({ answer, outage, body }: StoredRow): OriginHistory | undefined {
  try {
    // A file in a column of another type would be read as an empty one.
    must(body === null || body instanceof Uint8Array);
    const rest = answer === null ? null : readResponse(unseal(answer, body));
    const isFile = rest?.kind === 'successful';
    // A lost file must not become an empty one, and an existing one not an unavailable one: both disallow nothing.
    if (rest !== null && isFile !== (body !== null)) return undefined;
    return {
      // A view of its own: a driver may return a part of something larger.
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
  must(kind === 'found' || kind === 'absent');
  must(isTime(fetchedAt) && isTime(freshUntil) && isObject(headers));
  must(Object.values(headers).every((header) => header === null || typeof header === 'string'));
  must((message === null || typeof message === 'string') && isStatus(status) && isTrace(rest));
  return {
    ...rest,
    kind: kind === 'found' ? 'successful' : 'unavailable',
    message,
    freshUntil: boundFreshUntil(rest),
  };
}

function readOutage({ reason: message, ...rest }: StoredOutage): Outage {
  const { since, lastAt, failures, code, status, retryAt } = rest;
  must(isTime(since) && isTime(lastAt) && (retryAt === null || Number.isSafeInteger(retryAt)));
  must(Number.isSafeInteger(failures) && failures > 0);
  must(typeof code === 'string' && typeof message === 'string');
  must(isStatus(status) && isTrace(rest));
  return { ...rest, message };
}

/** @throws {DamagedError} if something is not as it must be. */
function must(isRight: boolean): void {
  if (!isRight) throw new DamagedError();
}

/** Whether hops and timings have their types. */
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

/** Whether a value is a time that dates can have (ECMA-262, time values): any other would make each use of it fail. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(value as number).getTime());
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
