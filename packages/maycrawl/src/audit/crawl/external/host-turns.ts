// One request at a time to each host, with a pause between two requests.
import { sleepUnlessAborted } from '@maycrawl/client/internal';

/** The longest pause that a host may request, in milliseconds. */
const MAX_PAUSE = 60_000;

/** Lets requests to a host wait for each other. */
export class HostTurns {
  readonly #spacing: number;
  readonly #signal: AbortSignal;
  /** The end of the last request to each host, and of the pause after it. */
  readonly #ends: Map<string, Promise<unknown>> = new Map();

  /** @param spacing - milliseconds between the requests to a host. @param signal - its abort ends pauses. */
  constructor(spacing: number, signal: AbortSignal) {
    this.#spacing = spacing;
    this.#signal = signal;
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
      .then((own) => Math.max(this.#spacing, Math.min(Math.max(pause, own), MAX_PAUSE)))
      .then((wait) => (wait === 0 ? undefined : sleepUnlessAborted(wait, this.#signal)))
      .catch(() => {});
    this.#ends.set(host, end);
    return response;
  }
}
