// Eviction in steps, and which of the least recently used entries one step removes.
import { chooseEvicted, type EntryKind, STEP_BYTES, type StoreLimits, type Totals } from './limits.ts';

/** What eviction removed, and what is left. */
export interface Evicted {
  readonly removed: number;
  readonly removedBytes: number;
  readonly totals: Totals;
}

/** Which entries are evicted, and how. */
export interface EvictionOptions {
  readonly limits: StoreLimits;
  /** The time before which an entry was used last that is too old; `undefined` for none. Milliseconds since 1970. */
  readonly oldest: number | undefined;
  /** Whether to wait while another process evicts, or to leave it to that one. */
  readonly waits: boolean;
  /** Whether to stop after the current step. */
  readonly isStopped: () => boolean;
  /** Is called after each step with the number of removed entries. */
  readonly onStep: (removed: number) => void;
}

interface SizedEntry {
  readonly bytes: number;
}

/** As many as one step may remove. */
export function takeStep<Entry extends SizedEntry>(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    const isFull = bytes >= STEP_BYTES;
    bytes += entry.bytes;
    return isFull;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** As many as one step may remove, and as the limits need. */
export function takeNeeded<Entry extends SizedEntry>(
  entries: readonly Entry[],
  kind: EntryKind,
  limits: StoreLimits,
  before: Totals,
): readonly Entry[] {
  let totals = before;
  const end = entries.findIndex((entry) => {
    const isEnough = chooseEvicted(totals, limits) !== kind;
    totals = subtract(totals, kind, entry.bytes);
    return isEnough;
  });
  return takeStep(end < 0 ? entries : entries.slice(0, end));
}

function subtract(totals: Totals, kind: EntryKind, bytes: number): Totals {
  const isFailing = kind === 'failing';
  return {
    origins: totals.origins - 1,
    bytes: totals.bytes - bytes,
    failingOrigins: totals.failingOrigins - (isFailing ? 1 : 0),
    failingBytes: totals.failingBytes - (isFailing ? bytes : 0),
  };
}
