// The phases of a fetch, with their deadlines and durations.
import type { OptionTypes } from '@maycrawl/core/internal';

/**
 * The phases of each request, in this order: resolving the host name, connecting, the TLS handshake, waiting for the headers of the
 * response (in FTP: login and the request for the file), and reading the body.
 */
export type Phase = 'lookup' | 'connect' | 'tls' | 'headers' | 'body';

/** The deadline of each phase of each request, in milliseconds. */
export type Deadlines = Readonly<Record<Phase, number>>;

/** The durations of the phases, all requests together, in milliseconds. Phases that did not occur are absent. */
export type Timings = Readonly<Partial<Record<Phase, number>>> & {
  /** From the start to the result. */
  readonly total: number;
};

/** The default deadlines. */
export const DEADLINES: Deadlines = /* @__PURE__ */ Object.freeze({
  lookup: 10_000,
  connect: 10_000,
  tls: 10_000,
  headers: 20_000,
  body: 20_000,
});

export const DEADLINE_TYPES: OptionTypes<Partial<Deadlines>> = {
  lookup: 'number',
  connect: 'number',
  tls: 'number',
  headers: 'number',
  body: 'number',
};

const MISSED: Readonly<Record<Phase, string>> = {
  lookup: 'no address of the host',
  connect: 'no connection',
  tls: 'no end of the TLS handshake',
  headers: 'no response',
  body: 'no complete body',
};

/** A deadline was missed. */
class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Measures the phases of one fetch, and enforces their deadlines. The caller must call {@link Phases.end}. */
export class Phases {
  readonly #deadlines: Deadlines;
  readonly #controller: AbortController = new AbortController();
  readonly #startedAt: number = performance.now();
  readonly #took: Partial<Record<Phase, number>> = {};
  readonly #whole: number;
  #wholeTimer: NodeJS.Timeout | undefined;
  /** The rest of the time for the whole fetch, in milliseconds. */
  #left: number;
  /** When the timer of the whole fetch was started; `undefined` while it is paused. */
  #runsSince: number | undefined;
  #phase: Phase | undefined;
  #phaseAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** @param whole - milliseconds for the whole fetch. */
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

  /** A description of the missed deadline; `undefined` if none was missed. */
  get missed(): string | undefined {
    return this.signal.aborted ? (this.signal.reason as DeadlineError).message : undefined;
  }

  /**
   * Begins a phase, and ends the one before it. While the fetch waits in a queue of this process (`queue`), the timer of the whole
   * fetch is paused, because that time says nothing about the site.
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

  /** Ends the fetch, and returns its timings. */
  end(): Timings {
    this.#leave();
    this.#pause();
    this.#isOver = true;
    return { ...this.#took, total: roundTime(performance.now() - this.#startedAt) };
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
      () => this.#miss(`no response within ${this.#whole} ms`),
      Math.max(0, this.#left),
    );
  }

  #leave(): void {
    clearTimeout(this.#timer);
    if (this.#phase === undefined) return;
    const took = performance.now() - this.#phaseAt;
    this.#took[this.#phase] = roundTime((this.#took[this.#phase] ?? 0) + took);
    this.#phase = undefined;
  }

  #miss(what: string): void {
    this.#controller.abort(new DeadlineError(what));
  }
}

/** Rounds to tenths. */
function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
