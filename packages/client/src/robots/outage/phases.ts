/**
 * The phases of a fetch: how long each took, and how long each may take.
 *
 * @module
 */

/**
 * What a fetch does, in this order, for each request: finding the host's address, connecting, the TLS handshake, waiting for the
 * response's headers (in FTP: logging in and asking for the file), and reading the body.
 */
export type Phase = 'lookup' | 'connect' | 'tls' | 'headers' | 'body';

/** How long each phase of each request may take, in milliseconds. */
export type Deadlines = Readonly<Record<Phase, number>>;

/** How long the phases took, all requests together, in milliseconds. Those that there were not are left out. */
export type Timings = Readonly<Partial<Record<Phase, number>>> & {
  /** From the start to the outcome. */
  readonly total: number;
};

/** The deadlines of phases unless a caller has others. */
export const DEADLINES: Deadlines = {
  lookup: 10_000,
  connect: 10_000,
  tls: 10_000,
  headers: 20_000,
  body: 20_000,
};

const MISSED: Readonly<Record<Phase, string>> = {
  lookup: 'no address of the host',
  connect: 'no connection',
  tls: 'no end of the TLS handshake',
  headers: 'no answer',
  body: 'no complete body',
};

/** Something took longer than it may. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Watches over one fetch. It must be ended with {@link Phases.end}. */
export class Phases {
  readonly #deadlines: Deadlines;
  readonly #controller: AbortController = new AbortController();
  readonly #startedAt: number = performance.now();
  readonly #took: Partial<Record<Phase, number>> = {};
  readonly #whole: number;
  #wholeTimer: NodeJS.Timeout | undefined;
  /** Milliseconds of the whole that are left. */
  #left: number;
  /** Since when the whole timer runs; `undefined` while it stands still. */
  #runsSince: number | undefined;
  #phase: Phase | undefined;
  #phaseAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param whole - milliseconds for all of the fetch. */
  constructor(deadlines: Deadlines, whole: number) {
    this.#deadlines = deadlines;
    this.#whole = whole;
    this.#left = whole;
    this.#resume();
  }

  /** Aborts when a deadline is missed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The deadline that was missed, for people; `undefined` if none was. */
  get missed(): string | undefined {
    return this.signal.aborted ? (this.signal.reason as DeadlineError).message : undefined;
  }

  /**
   * A phase begins, and the one before it is over. After the end nothing begins. In a queue of this process (`queue`) the time for
   * the whole fetch stands still: it says nothing about the site.
   */
  enter(phase: Phase | 'queue'): void {
    this.#leave();
    if (this.#isOver || this.signal.aborted) return;
    if (phase === 'queue') {
      this.#pause();
      return;
    }
    this.#resume();
    this.#phase = phase;
    this.#phaseAt = performance.now();
    const deadline = this.#deadlines[phase];
    this.#timer = setTimeout(() => this.#miss(`${MISSED[phase]} within ${deadline} ms`), deadline);
  }

  /** The fetch is over. */
  end(): Timings {
    this.#leave();
    this.#pause();
    this.#isOver = true;
    return { ...this.#took, total: rounded(performance.now() - this.#startedAt) };
  }

  #pause(): void {
    clearTimeout(this.#wholeTimer);
    if (this.#runsSince !== undefined) this.#left -= performance.now() - this.#runsSince;
    this.#runsSince = undefined;
  }

  #resume(): void {
    if (this.#runsSince !== undefined) return;
    this.#runsSince = performance.now();
    this.#wholeTimer = setTimeout(
      () => this.#miss(`no answer within ${this.#whole} ms`),
      Math.max(0, this.#left),
    );
  }

  #leave(): void {
    clearTimeout(this.#timer);
    if (this.#phase === undefined) return;
    const took = performance.now() - this.#phaseAt;
    this.#took[this.#phase] = rounded((this.#took[this.#phase] ?? 0) + took);
    this.#phase = undefined;
  }

  #miss(what: string): void {
    this.#controller.abort(new DeadlineError(what));
  }
}

/** To a tenth. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
