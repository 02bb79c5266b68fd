// One request at a time to each host, with a pause between two requests.
import { sleepUnlessAborted } from '@maycrawl/client/internal';

/** The longest pause that a host may request, and the pauses of its responses together, in milliseconds. */
const [MAX_PAUSE, MAX_PAUSES] = [60_000, 120_000] as const;

/** Lets requests to a host wait for each other. */
export class HostTurns {
  readonly #spacing: number;
  readonly #signal: AbortSignal;
  /** The end of the last request to each host, and of the pause after it. */
  readonly #ends: Map<string, Promise<unknown>> = new Map();
  /** The pauses that the responses of each host requested together. */
  readonly #pauses: Map<string, number> = new Map();

  /** @param spacing - milliseconds between the requests to a host. @param signal - its abort ends pauses. */
  constructor(spacing: number, signal: AbortSignal) {
    this.#spacing = spacing;
    this.#signal = signal;
  }

  /** Whether a host gets no further request, because its responses requested pauses of two minutes together. Longer ones would keep the audit. */
  isOverloaded(host: string): boolean {
    return (this.#pauses.get(host) ?? 0) >= MAX_PAUSES;
  }

  /**
   * Sends a request when those before it have ended.
   *
   * @param pause - milliseconds that the host requests between two requests.
   * @param getPause - returns the milliseconds that a response requests before the next request.
   */
  async take<Response>(
    host: string,
    pause: number,
    request: () => Promise<Response>,
    getPause: (response: Response) => number,
  ): Promise<Response> {
    const before = this.#ends.get(host);
    const response = (before ?? Promise.resolve()).then(request);
    const end = response
      .then(getPause)
      .catch(() => 0)
      .then((own) => {
        if (own > 0) this.#pauses.set(host, (this.#pauses.get(host) ?? 0) + Math.min(own, MAX_PAUSE));
        return Math.max(this.#spacing, Math.min(Math.max(pause, own), MAX_PAUSE));
      })
      .then((wait) => (wait === 0 ? undefined : sleepUnlessAborted(wait, this.#signal)))
      .catch(() => {});
    this.#ends.set(host, end);
    return response;
  }
}
