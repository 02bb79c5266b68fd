// Cooperative time slicing. A loop over foreign input checks after each step whether the current slice is used up, and if so
// gives way, so that the event loop answers other clients, runs timers and receives signals:
//
// ```ts
// for (const each of input) {
//   work(each);
//   if (timeSlices.isUsedUp()) await timeSlices.giveWay(signal);
// }
// ```
//
// All loops of a thread share one slice: a hundred loops that run at the same time use together 10 ms of each turn of the event
// loop, not 10 ms each. They resume in the order in which they gave way, as many per turn as the slice has time for.
/** Milliseconds of one slice. */
const SLICE_TIME = 10;

/** Settings of {@link TimeSlices}. */
export interface TimeSliceOptions {
  /** Milliseconds of one slice. @defaultValue 10 */
  readonly milliseconds?: number;
  /** A clock in milliseconds that never goes back. @defaultValue `performance.now` */
  readonly now?: () => number;
}

/** The time slices of one event loop. */
export class TimeSlices {
  readonly #milliseconds: number;
  readonly #now: () => number;
  /** Loops that gave way, in their order. */
  readonly #waiting: Set<() => void> = new Set();
  /** When the slice of this turn of the event loop started; `undefined` before its first check. */
  #startedAt: number | undefined;
  #count = 0;

  constructor({ milliseconds = SLICE_TIME, now = () => performance.now() }: TimeSliceOptions = {}) {
    this.#milliseconds = milliseconds;
    this.#now = now;
  }

  /** How many times loops gave way. */
  get count(): number {
    return this.#count;
  }

  /** Whether the caller must give way before its next step. */
  isUsedUp(): boolean {
    const now = this.#now();
    if (this.#startedAt === undefined) this.#start(now);
    return now - (this.#startedAt as number) >= this.#milliseconds;
  }

  /**
   * Lets the event loop do its other work. Resolves with the start of the caller's next slice.
   *
   * @param signal - aborts the loop, for example when its client has closed the connection.
   * @throws the signal's reason if it has aborted.
   */
  async giveWay(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#count++;
    if (this.#startedAt === undefined) this.#start(this.#now());
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
    signal?.throwIfAborted();
  }

  #start(now: number): void {
    this.#startedAt = now;
    setImmediate(() => this.#next());
  }

  /** Starts a slice if loops wait. Immediates that are added now run in the next turn. */
  #next(): void {
    if (this.#waiting.size === 0) {
      this.#startedAt = undefined;
      return;
    }
    this.#start(this.#now());
    this.#resume();
  }

  /** Resumes loops, each when the one before it waits for something else, until the slice is used up; at least one. */
  #resume(): void {
    const [resume] = this.#waiting;
    if (resume === undefined) return;
    this.#waiting.delete(resume);
    resume();
    // A tick that a microtask adds comes after all microtasks, which are those of the loop.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (!this.isUsedUp()) this.#resume();
      }),
    );
  }
}

/** The slices of this thread's event loop. */
export const timeSlices: TimeSlices = new TimeSlices();
