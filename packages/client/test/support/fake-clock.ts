import type { Clock } from '../../src/pace/pace-options.ts';

/** A clock that moves only when `pass` is called, and calls timers in the order of their times. */
export class FakeClock implements Clock {
  readonly #start: number;
  readonly #timers: Map<number, { readonly at: number; readonly call: () => void }> = new Map();
  #time = 0;
  #lastKey = 0;

  /** @param start - milliseconds since 1970. */
  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#start = start;
  }

  readonly now = (): number => this.#time;

  readonly date = (): number => this.#start + this.#time;

  readonly random = (): number => 0;

  readonly after = (milliseconds: number, call: () => void): (() => void) => {
    const key = ++this.#lastKey;
    this.#timers.set(key, { at: this.#time + milliseconds, call });
    return () => void this.#timers.delete(key);
  };

  /** The number of timers that run. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Lets time pass, and runs what waits for it. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#time + milliseconds;
    for (;;) {
      await settle();
      const due = this.#findDue(end);
      if (due.length === 0) break;
      for (const key of due) {
        const timer = this.#timers.get(key);
        if (timer === undefined) continue;
        this.#timers.delete(key);
        this.#time = Math.max(this.#time, timer.at);
        timer.call();
      }
    }
    this.#time = end;
  }

  /** Finds the timers of the earliest time up to `end`. */
  #findDue(end: number): number[] {
    let earliest = end;
    for (const { at } of this.#timers.values()) earliest = Math.min(earliest, at);
    return [...this.#timers].filter(([, { at }]) => at <= earliest).map(([key]) => key);
  }
}

/** Runs everything that waits for promises only. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
