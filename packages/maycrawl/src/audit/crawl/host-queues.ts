// The hosts of a crawl that have their turn, each with a queue of URLs and a pace. A turn ends after the URLs that were read together, or
// when the host pauses, if other hosts wait for a turn. So hosts that are slow, fail, or never end do not starve others.
import { type PaceBounds, RequestPace } from '@maycrawl/client/internal';
import type { Waiting } from '../run/records/url.ts';
import type { HostTable } from '../run/tables/host-table.ts';

/** Maximum number of concurrent hosts. */
const MAX_HOSTS = 64;
/** Maximum number of paces that are stored without a turn. */
const MAX_ABSENT = 10_000;
/** A shorter pause does not end a turn. Milliseconds. */
const MIN_REST = 1_000;

/** Gives hosts their turns. */
export type HostRotation = Pick<HostTable, 'claim' | 'release' | 'exclude'>;

/** A host, and its next URLs. */
export interface HostQueue {
  readonly pace: RequestPace;
  next: Waiting[];
  /** Whether its URLs were read in this turn. */
  hasRead: boolean;
  /** Whether its robots.txt is being fetched. */
  isFetchingRobots: boolean;
  /** Whether a request is in progress that tests whether it responds again. */
  isProbing: boolean;
}

/** The queues of the hosts that have their turn. All times are milliseconds of the clock of the paces. */
export class HostQueues implements Iterable<[host: string, queue: HostQueue]> {
  readonly #options: PaceBounds;
  readonly #rotation: HostRotation;
  readonly #queues: Map<string, HostQueue> = new Map();
  /** Paces of hosts whose turn has ended and whose pause has not: they are not ready yet. */
  readonly #resting: Map<string, RequestPace> = new Map();
  /** Paces of hosts whose last request failed and that are ready. */
  readonly #failing: Map<string, RequestPace> = new Map();
  #isContested = false;

  constructor(options: PaceBounds, rotation: HostRotation) {
    this.#options = options;
    this.#rotation = rotation;
  }

  /** Whether other hosts wait for a turn, so that queues whose URLs were read get no further ones. */
  get isContested(): boolean {
    return this.#isContested;
  }

  /** Begins the turns of hosts that are ready, and ends as many others as necessary. */
  update(now: number): void {
    this.#endRests(now);
    const idle = [...this.#queues].filter(([, queue]) => this.#canEnd(queue, now)).map(([host]) => host);
    const free = MAX_HOSTS - this.#queues.size;
    const ready = this.#rotation.claim(free + idle.length);
    this.#isContested = ready.length === free + idle.length;
    for (const host of idle.slice(0, Math.max(0, ready.length - free))) this.end(host, now);
    for (const host of ready) {
      const pace = this.#failing.get(host) ?? new RequestPace(this.#options);
      this.#failing.delete(host);
      this.#queues.set(host, { pace, next: [], hasRead: false, isFetchingRobots: false, isProbing: false });
    }
  }

  /** Ends the turn of a host without requests. It is ready again after its pause, and after the hosts that are ready now. */
  end(host: string, now: number): void {
    const pace = this.#queues.get(host)?.pace;
    if (pace === undefined) return;
    this.#queues.delete(host);
    if (pace.wait(now) !== 0) this.#resting.set(host, pace);
    else this.#makeReady(host, pace);
  }

  /** Ends the turn of a host that no longer responds. It gets no further one in this crawl. */
  exclude(host: string): void {
    this.#queues.delete(host);
    this.#rotation.exclude(host);
  }

  /** Lets a host and those after it start requests before the others. */
  prefer(host: string): void {
    for (const [name, queue] of [...this.#queues]) {
      if (name === host) return;
      this.#queues.delete(name);
      this.#queues.set(name, queue);
    }
  }

  /** Returns the milliseconds until the next pause of a host without a turn is over; `null` if there is none. */
  getNextRestEnd(now: number): number | null {
    let soonest: number | null = null;
    for (const pace of this.#resting.values())
      soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, pace.wait(now) ?? 0);
    return soonest;
  }

  [Symbol.iterator](): Iterator<[string, HostQueue]> {
    return this.#queues[Symbol.iterator]();
  }

  #endRests(now: number): void {
    for (const [host, pace] of this.#resting) {
      if (pace.wait(now) !== 0) continue;
      this.#resting.delete(host);
      this.#makeReady(host, pace);
    }
  }

  #makeReady(host: string, pace: RequestPace): void {
    // Without its pace it would never be found to be down.
    if (pace.hasFailed && this.#failing.size >= MAX_ABSENT) this.#rotation.exclude(host);
    else if (this.#rotation.release(host) && pace.hasFailed) this.#failing.set(host, pace);
  }

  /** Whether a host has had its turn, has no requests, and starts none soon, or fails. */
  #canEnd({ pace, next, hasRead, isFetchingRobots }: HostQueue, now: number): boolean {
    if (!hasRead || !pace.isIdle || isFetchingRobots) return false;
    const pause = pace.wait(now) ?? 0;
    if (pause > 0 && this.#resting.size >= MAX_ABSENT) return false;
    return next.length === 0 || pause >= MIN_REST || pace.isFailing;
  }
}
