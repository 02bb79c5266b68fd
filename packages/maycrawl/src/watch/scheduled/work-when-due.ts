// The loop of workers that take one scheduled row after another. Any number of them share a database.
import { randomUUID } from 'node:crypto';

export interface DueWork<Claimed> {
  readonly repository: {
    claim(owner: string, now: number): Promise<Claimed | undefined>;
    nextDue(): Promise<number | null>;
  };
  /** Works on what was claimed, and releases it. */
  readonly work: (claimed: Claimed) => Promise<void>;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Whether it stops when nothing is due, and at the first failure. @defaultValue `false` */
  readonly once?: boolean | undefined;
  /** Receives failures, after which the work continues. */
  readonly onFailure: (error: unknown) => void;
}

/** The longest sleep, in milliseconds: other processes may schedule work. */
const LONGEST_SLEEP = 5_000;

/**
 * Works until the signal aborts; with `once`, until nothing is due.
 *
 * @throws with `once`, what a claim or the work throws.
 */
export async function workWhenDue<Claimed>({
  repository,
  work,
  signal,
  now,
  sleep,
  once = false,
  onFailure,
}: DueWork<Claimed>): Promise<void> {
  const owner = randomUUID();
  while (!signal.aborted) {
    try {
      const claimed = await repository.claim(owner, now());
      if (claimed !== undefined) {
        await work(claimed);
        continue;
      }
      if (once) return;
      const next = (await repository.nextDue()) ?? Number.POSITIVE_INFINITY;
      await sleep(Math.min(LONGEST_SLEEP, Math.max(0, next - now())));
    } catch (error) {
      if (signal.aborted) return;
      if (once) throw error;
      onFailure(error);
      await sleep(LONGEST_SLEEP);
    }
  }
}
