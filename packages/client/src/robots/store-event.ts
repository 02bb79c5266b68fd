// The events of an origin: each store has the last ones.
import { createHash } from 'node:crypto';
import type { CachedResponse, Failure } from './history.ts';

/** A summary of one fetch of an origin. */
export interface StoreEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'successful' | 'unavailable' | 'unreachable';
  readonly status: number | null;
  /** The code of a result without a file; `null` if there is a file. */
  readonly code: string | null;
  /** SHA-256 of the file in hexadecimal; `null` without one. */
  readonly hash: string | null;
  /** Length of the file in bytes. */
  readonly bytes: number;
}

/** The number of stored events of each origin. */
export const MAX_EVENTS = 50;

export function toResponseEvent({ kind, fetchedAt: at, status, code, bytes }: CachedResponse): StoreEvent {
  const hash = kind === 'successful' ? createHash('sha256').update(bytes).digest('hex') : null;
  return { at, kind, status, code, hash, bytes: bytes.length };
}

export function toFailureEvent({ at, status, code }: Failure): StoreEvent {
  return { at, kind: 'unreachable', status, code, hash: null, bytes: 0 };
}
