// The state of the name servers of a resolver: whether they respond, and whether they answer.
import { probeNameServers } from './dns-query.ts';

/** The longest time for which addresses are cached, in milliseconds. */
export const MAX_LIFETIME = 300_000;

export interface SentQuery {
  readonly sentAt: number;
  readonly signal: AbortSignal;
}

/** Settings of {@link NameServerState}. */
export interface NameServerStateOptions {
  /** As in a query (dns-query.ts). */
  readonly servers: readonly string[] | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** The state of the name servers of a resolver. */
export class NameServerState {
  readonly #options: NameServerStateOptions;
  #respondedAt = Number.NEGATIVE_INFINITY;
  /** When a name server has last responded with anything but a refusal. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #probing: AbortController | undefined;

  constructor(options: NameServerStateOptions) {
    this.#options = options;
  }

  /** When a name server has last responded to anything. */
  get respondedAt(): number {
    return this.#respondedAt;
  }

  /** Notes a response. @param isAnswer - whether it is not a refusal. */
  setResponded(isAnswer: boolean): void {
    this.#respondedAt = this.#options.now();
    if (isAnswer) this.#answeredAt = this.#respondedAt;
  }

  /** Finds out whether the name servers respond at all, if none has since a query was sent. */
  probe(sentAt: number): void {
    if (this.#probing !== undefined || this.#respondedAt >= sentAt) return;
    const probing = new AbortController();
    this.#probing = probing;
    probeNameServers({ servers: this.#options.servers, signal: probing.signal }).then((result) => {
      if (this.#probing === probing) this.#probing = undefined;
      if (result !== 'silent') this.setResponded(result === 'answers');
    });
  }

  /** Ends a probe, which would keep the process alive. */
  endProbe(): void {
    this.#probing?.abort();
  }

  /** Whether a name server that has refused a query answers others. */
  async isAnswering({ sentAt, signal }: SentQuery): Promise<boolean> {
    // Addresses are cached for that time, so there may be no other query.
    if (this.#answeredAt >= sentAt - MAX_LIFETIME) return true;
    const isAnswering = (await probeNameServers({ servers: this.#options.servers, signal })) === 'answers';
    if (isAnswering) this.setResponded(true);
    return isAnswering;
  }
}
