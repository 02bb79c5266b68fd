/**
 * Fetches for clients: each client has as many at the same time as its share allows (clients.ts), and further ones wait. Silent sites
 * keep a fetch for as long as its deadline; the shares leave fetches for clients that have none.
 *
 * @module
 */
/** What the queue needs of a client. */
interface FetchingClient {
  canTake(resource: 'fetches'): boolean;
  take(resource: 'fetches'): () => void;
  getUsed(resource: 'fetches'): number;
}

/** Runs the fetches of all clients. */
export class FetchQueue {
  /** The client whose turn was last comes last. */
  readonly #waiting: Map<FetchingClient, Set<() => void>> = new Map();

  /**
   * Starts a fetch when the client may have one more.
   *
   * @throws the signal's reason if it aborts while the fetch waits.
   */
  async run<T>(client: FetchingClient, start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const isFree = !this.#waiting.has(client) && client.canTake('fetches');
    const release = isFree ? client.take('fetches') : await this.#wait(client, signal);
    try {
      return await start();
    } finally {
      release();
      while (this.#startNext());
    }
  }

  #wait(client: FetchingClient, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      // A signal of its own: the URLs of one request all wait on the same, and Node would report that as a leak.
      const own = AbortSignal.any([signal]);
      const waiting = this.#waiting.get(client) ?? new Set();
      const remove = (): void => {
        own.removeEventListener('abort', stop);
        waiting.delete(go);
        if (waiting.size === 0) this.#waiting.delete(client);
      };
      const go = (): void => {
        remove();
        resolve(client.take('fetches'));
      };
      const stop = (): void => {
        remove();
        reject(own.reason);
      };
      this.#waiting.set(client, waiting.add(go));
      own.addEventListener('abort', stop, { once: true });
    });
  }

  /** Starts a fetch of the client with the fewest, of those that may have one more. Returns whether there was one. */
  #startNext(): boolean {
    let [next, fewest]: [FetchingClient | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const client of this.#waiting.keys()) {
      const used = client.getUsed('fetches');
      if (used < fewest && client.canTake('fetches')) [next, fewest] = [client, used];
    }
    const waiting = next && this.#waiting.get(next);
    if (next === undefined || waiting === undefined) return false;
    const [first] = waiting;
    this.#waiting.delete(next);
    this.#waiting.set(next, waiting);
    first?.();
    return true;
  }
}
