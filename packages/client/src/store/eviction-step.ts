// Which of the least recently used entries one step of eviction removes.
import { chooseEvicted, type EntryKind, STEP_BYTES, type StoreLimits, type Totals } from './limits.ts';

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
