/**
 * The form in which databases keep what is known of an origin: the file as bytes, all else as JSON, which every database holds
 * whatever characters a server sent.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { GoodAnswer, OriginHistory, Outage } from './history.ts';

/** A history as it is written. */
export interface StoredHistory {
  /** The answer without its file, and the outage, as JSON. */
  readonly answer: string | null;
  readonly outage: string | null;
  /** The file, which is kept once for all origins that have it, and its SHA-256. */
  readonly body: { readonly hash: Buffer; readonly bytes: Uint8Array } | null;
}

/** A history as it is read. */
export interface StoredRow {
  readonly answer: string | null;
  readonly outage: string | null;
  readonly bytes: Uint8Array | null;
}

/** Under which key an origin is found: its hash, since it can be longer than an index should hold. */
export function keyOf(origin: string): Buffer {
  return createHash('sha256').update(origin).digest();
}

/** A history as it is written. */
export function toStored({ answer, outage }: OriginHistory): StoredHistory {
  const { bytes = null, ...rest } = answer ?? {};
  const isFile = answer?.kind === 'found' && bytes !== null;
  return {
    answer: answer && JSON.stringify(rest),
    outage: outage && JSON.stringify(outage),
    body: isFile ? { hash: createHash('sha256').update(bytes).digest(), bytes } : null,
  };
}

/** A history as it was. */
export function fromStored({ answer, outage, bytes }: StoredRow): OriginHistory {
  const rest = answer === null ? null : (JSON.parse(answer) as Omit<GoodAnswer, 'bytes'>);
  return {
    // A view of its own: what a driver gives may be a part of something larger.
    answer: rest && { ...rest, bytes: new Uint8Array(bytes ?? []) },
    outage: outage === null ? null : (JSON.parse(outage) as Outage),
  };
}
