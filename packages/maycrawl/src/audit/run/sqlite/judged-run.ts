/**
 * The storage of a run that can be judged.
 *
 * @module
 */
import type { RunStore, StoredVerdict, UrlRecord } from '../run-store.ts';

/** A run that can be judged. */
export interface JudgedRun extends RunStore {
  /** Iterates over all URLs, in the order of their keys. */
  records(): Iterable<UrlRecord>;
  /** Deletes all verdicts and findings. */
  clearVerdicts(): Promise<void>;
  putVerdicts(verdicts: readonly StoredVerdict[]): Promise<void>;
  verdict(key: number, agent: number): Promise<StoredVerdict | undefined>;
}
