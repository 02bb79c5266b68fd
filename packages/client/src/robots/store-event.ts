/**
 * The log of one origin: stores keep the last events of each.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { CachedResponse, Failure } from './history.ts';

/** One fetch of an origin, in short. */
export interface StoreEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'successful' | 'unavailable' | 'unreachable';
  readonly status: number | null;
  /** Why there is no file; `null` if there is one. */
  readonly code: string | null;
  /** SHA-256 of the file in hexadecimal; `null` if there is none. */
  readonly hash: string | null;
  /** Length of the file in bytes. */
  readonly bytes: number;
}

/** The number of events that a store keeps of each origin. */
export const KEPT_EVENTS = 50;

/** Converts a response to an event. */
export function toResponseEvent({ kind, fetchedAt: at, status, code, bytes }: CachedResponse): StoreEvent {
  const hash = kind === 'successful' ? createHash('sha256').update(bytes).digest('hex') : null;
  return { at, kind, status, code, hash, bytes: bytes.length };
}

/** Converts a failure to an event. */
export function toFailureEvent({ at, status, code }: Failure): StoreEvent {
  return { at, kind: 'unreachable', status, code, hash: null, bytes: 0 };
}
