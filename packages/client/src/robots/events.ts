/**
 * What happened to an origin, for people who want to know: stores keep the last events of each.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Failure, GoodAnswer } from './history.ts';

/** One thing that happened to an origin: what was fetched, or why nothing was. Milliseconds since 1970. */
export interface StoreEvent {
  readonly at: number;
  readonly kind: 'found' | 'absent' | 'unreachable';
  readonly status: number | null;
  /** Why nothing was found; `null` where something was. */
  readonly code: string | null;
  /** SHA-256 of the file, in hexadecimal; `null` where there is none. */
  readonly hash: string | null;
  /** Length of the file in bytes. */
  readonly bytes: number;
}

/** Of each origin so many of the last events are kept. */
export const KEPT_EVENTS = 50;

/** What a good answer is as an event. */
export function eventOfAnswer({ kind, fetchedAt: at, status, code, bytes }: GoodAnswer): StoreEvent {
  const hash = kind === 'found' ? createHash('sha256').update(bytes).digest('hex') : null;
  return { at, kind, status, code, hash, bytes: bytes.length };
}

/** What a failure is as an event. */
export function eventOfFailure({ at, status, code }: Failure): StoreEvent {
  return { at, kind: 'unreachable', status, code, hash: null, bytes: 0 };
}
