/**
 * The form in which databases keep what is known of an origin: the file as bytes, all else as JSON, which every database holds
 * whatever characters a server sent.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { boundFreshUntil } from './bounds.ts';
import type { GoodAnswer, OriginHistory, Outage } from './history.ts';
import type { Hop } from './outcome.ts';

/** A history in a row: the answer without its file and the outage as JSON, and the file. */
export interface StoredRow {
  readonly answer: string | null;
  readonly outage: string | null;
  readonly body: Uint8Array | null;
}

/** Under which key an origin is found: its hash, since it can be longer than an index should hold. */
export function keyOf(origin: string): Buffer {
  return createHash('sha256').update(origin).digest();
}

/** A history as it is written. */
export function toStored({ answer, outage }: OriginHistory): StoredRow {
  const { bytes = new Uint8Array(), ...rest } = answer ?? {};
  const body = answer?.kind === 'found' ? bytes : null;
  return { answer: answer && seal(rest, body), outage: outage && seal(outage, null), body };
}

/**
 * Writes JSON with a hash of it and of the file. SQLite has no checksums: a bit that has changed on the disk can make a file shorter,
 * or a time later, and the row is a valid one all the same.
 */
function seal(value: object, body: Uint8Array | null): string {
  return JSON.stringify({ ...value, hash: hashOf(JSON.stringify(value), body) });
}

/** @throws {DamagedError} if what {@link seal} wrote has changed. Rows of earlier versions have no hash. */
function unseal<T extends object>(text: string, body: Uint8Array | null): T {
  const value: (T & { readonly hash?: unknown }) | null = JSON.parse(text);
  must(isObject(value));
  const { hash, ...rest } = value as T & { readonly hash?: unknown };
  must(hash === undefined || hash === hashOf(JSON.stringify(rest), body));
  return rest as unknown as T;
}

function hashOf(json: string, body: Uint8Array | null): string {
  const hash = createHash('sha256').update(json);
  return (body === null ? hash : hash.update(body)).digest('base64url');
}

/** The size of a row in bytes, about: its JSON is nearly all ASCII. */
export function sizeOfStored({ answer, outage, body }: StoredRow): number {
  return (answer?.length ?? 0) + (outage?.length ?? 0) + (body?.length ?? 0);
}

/**
 * A history as it was; `undefined` if the row is damaged: then nothing is known, and the next answer takes its place. A part that
 * is not what it must be could otherwise hold for ever, or allow what is forbidden.
 */
export function fromStored({ answer, outage, body }: StoredRow): OriginHistory | undefined {
  try {
    // A file in a column of another type would be read as an empty one.
    must(body === null || body instanceof Uint8Array);
    const rest = answer === null ? null : readAnswer(unseal(answer, body));
    // A file that is lost must not become an empty one, and one that is there not an absent one: both forbid nothing.
    if (rest !== null && (rest.kind === 'found') !== (body !== null)) return undefined;
    return {
      // A view of its own: what a driver gives may be a part of something larger.
      answer: rest && { ...rest, bytes: Uint8Array.from(rest.kind === 'found' && body !== null ? body : []) },
      outage: outage === null ? null : readOutage(unseal(outage, null)),
    };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DamagedError) return undefined;
    throw error;
  }
}

class DamagedError extends Error {}

function readAnswer(value: Omit<GoodAnswer, 'bytes'>): Omit<GoodAnswer, 'bytes'> {
  const { kind, fetchedAt, freshUntil, headers, reason, status } = value;
  must(kind === 'found' || kind === 'absent');
  must(isTime(fetchedAt) && isTime(freshUntil) && isObject(headers));
  must(Object.values(headers).every((header) => header === null || typeof header === 'string'));
  must((reason === null || typeof reason === 'string') && isStatus(status) && isTold(value));
  return { ...value, freshUntil: boundFreshUntil(value) };
}

function readOutage(value: Outage): Outage {
  const { since, lastAt, failures, code, status, reason, retryAt } = value;
  must(isTime(since) && isTime(lastAt) && (retryAt === null || isTime(retryAt)));
  must(
    Number.isSafeInteger(failures) && failures > 0 && typeof code === 'string' && typeof reason === 'string',
  );
  must(isStatus(status) && isTold(value));
  return value;
}

/** @throws {DamagedError} if something is not as it must be. */
function must(isRight: boolean): void {
  if (!isRight) throw new DamagedError();
}

/** Whether the requests and their times are what they must be. */
function isTold({ hops, timings }: Pick<Outage, 'hops' | 'timings'>): boolean {
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

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
