// Converts histories of origins to rows of databases: the file as bytes, the rest as JSON, which can contain any characters that a
// server sends.
import { createHash } from 'node:crypto';
import { getPolicySummary, POLICY_CODES, type PolicySummary } from '@maycrawl/core';
import type { CachedResponse, OriginHistory, Outage } from './history.ts';
import type { StoreEvent } from './store-event.ts';

/** A history in a row: the response without its file and the outage as JSON, and the file. */
export interface StoredRow {
  readonly response: string | null;
  readonly outage: string | null;
  readonly body: Uint8Array | null;
}

type StoredResponse = Omit<CachedResponse, 'bytes'>;

const KINDS: readonly unknown[] = ['successful', 'unavailable', 'unreachable'] satisfies StoreEvent['kind'][];

/** Returns whether a stored word is the kind of a result. */
export function isStoredKind(stored: unknown): stored is StoreEvent['kind'] {
  return KINDS.includes(stored);
}

/** Converts the code of a stored policy (`getPolicyCode`). Returns `undefined` if it is invalid. */
export function fromStoredPolicy(stored: unknown): PolicySummary | undefined {
  const code = POLICY_CODES.find((each) => each === stored);
  return code && getPolicySummary(code);
}

/** Reads stored events. Those that are damaged are omitted. */
export function fromStoredEvents(text = '[]'): StoreEvent[] {
  try {
    const events: unknown = JSON.parse(text);
    return Array.isArray(events) ? events.filter(isEvent) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Returns whether a value has a kind and a time that dates can have (ECMA-262, time values). */
function isEvent(value: Partial<StoreEvent> | null): boolean {
  const { at, kind } = value ?? {};
  return Number.isSafeInteger(at) && !Number.isNaN(new Date(at as number).getTime()) && isStoredKind(kind);
}

/** Returns the key of an origin: its hash, because an origin can exceed the size limit of an index. */
export function toStoreKey(origin: string): Buffer {
  return createHash('sha256').update(origin).digest();
}

/** Converts a history to a row. */
export function toStored({ response, outage }: OriginHistory): StoredRow {
  const body = response?.kind === 'successful' ? response.bytes : null;
  return {
    response: response && seal(withoutBytes(response), body),
    outage: outage && seal(outage, null),
    body,
  };
}

function withoutBytes({ bytes: _, ...rest }: CachedResponse): StoredResponse {
  return rest;
}

/**
 * Formats JSON with a hash of it and of the file. SQLite has no checksums: a changed bit on the disk can shorten a file or change a
 * time, and leave a valid row.
 */
function seal(value: object, body: Uint8Array | null): string {
  return JSON.stringify({ ...value, hash: getHash(JSON.stringify(value), body) });
}

/** @throws {DamagedError} if the output of {@link seal}, or the file, was changed. */
function unseal<T extends object>(text: string, body: Uint8Array | null): T {
  const { hash, ...rest } = (JSON.parse(text) ?? {}) as T & { readonly hash?: unknown };
  if (hash !== getHash(JSON.stringify(rest), body)) throw new DamagedError();
  return rest as unknown as T;
}

function getHash(json: string, body: Uint8Array | null): string {
  const hash = createHash('sha256').update(json);
  return (body === null ? hash : hash.update(body)).digest('base64url');
}

/** Returns the approximate size of a row in bytes: its JSON is nearly all ASCII. */
export function getStoredSize({ response, outage, body }: StoredRow): number {
  return (response?.length ?? 0) + (outage?.length ?? 0) + (body?.length ?? 0);
}

/**
 * Reads a history from a row. Returns `undefined` if the row is damaged: it counts as missing, and the next response replaces it. An
 * invalid part could otherwise apply forever, or allow disallowed URLs.
 */
export function fromStored({ response, outage, body }: StoredRow): OriginHistory | undefined {
  // A value of another type would be read as an empty file.
  if (body !== null && !(body instanceof Uint8Array)) return undefined;
  try {
    const rest = response === null ? null : unseal<StoredResponse>(response, body);
    return {
      // A copy: a driver may return a view of a larger buffer.
      response: rest && { ...rest, bytes: Uint8Array.from(body ?? []) },
      outage: outage === null ? null : unseal<Outage>(outage, null),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DamagedError) return undefined;
    throw error;
  }
}

class DamagedError extends Error {}
