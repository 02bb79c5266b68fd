/**
 * Accounts of clients: what each uses now, and what it used in the last minute, so that one cannot take the share of the others.
 *
 * @module
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Limits } from './limits.ts';
import { Problem } from './problems.ts';
import { Semaphore } from './semaphore.ts';

/** What a client uses for a time. */
export type Resource = 'requests' | 'bodyBytes' | 'tasks' | 'streams';

/** For each resource its limit, and what it is. */
const RESOURCES: Readonly<Record<Resource, readonly [limit: keyof Limits, name: string]>> = {
  requests: ['clientRequests', 'requests at the same time'],
  bodyBytes: ['clientBodyBytes', 'bytes of bodies at the same time'],
  tasks: ['clientTasks', 'tasks for threads at the same time'],
  streams: ['clientStreams', 'event streams at the same time'],
};

/** Milliseconds in which work and requests are counted. */
const WINDOW = 60_000;
/** Accounts that stay in memory: those that were used last. */
const MAX_ACCOUNTS = 50_000;

/** Settings of {@link Clients}. */
export interface ClientsOptions {
  readonly limits: Limits;
  /** Requests, or what counts as much, of one client in a minute; without limit if omitted. */
  readonly rateLimit?: number;
  /** A clock in milliseconds that never goes back. @defaultValue `performance.now` */
  readonly now?: () => number;
}

/**
 * The client of an address: the address itself, or the network of 64 bits of an IPv6 address, all of whose addresses one machine
 * can use (RFC 4291 section 2.5.1). An IPv6 address that contains an IPv4 address is that one.
 */
export function getClientKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}

/** The account of one client. */
export class Client {
  /** Lets only so many fetches for this client run at the same time. */
  readonly fetches: Semaphore;
  readonly #options: ClientsOptions & { readonly now: () => number };
  readonly #used: Record<Resource, number> = { requests: 0, bodyBytes: 0, tasks: 0, streams: 0 };
  #windowEnd = 0;
  #steps = 0;
  #units = 0;

  /** Use {@link Clients.get}. */
  constructor(options: ClientsOptions & { readonly now: () => number }) {
    this.#options = options;
    this.fetches = new Semaphore(options.limits.clientFetches);
  }

  /**
   * Takes some of a resource.
   *
   * @returns gives it back; further calls do nothing.
   * @throws {Problem} if it is more than the share of one client.
   */
  take(resource: Resource, amount = 1): () => void {
    const [key, name] = RESOURCES[resource];
    const limit = this.#options.limits[key];
    if (this.#used[resource] + amount > limit)
      throw new Problem('client-limit', `one client may use ${limit} ${name}`, {
        'retry-after': '5',
      });
    this.#used[resource] += amount;
    let isTaken = true;
    return () => {
      if (isTaken) this.#used[resource] -= amount;
      isTaken = false;
    };
  }

  /** Counts steps of work. They may go beyond the limit; {@link requireWork} refuses the next. */
  addWork(steps: number): void {
    this.#startWindow();
    this.#steps += steps;
  }

  /** @throws {Problem} if the work of this minute is used up. */
  requireWork(): void {
    this.#startWindow();
    if (this.#steps >= this.#options.limits.clientWorkSteps)
      throw this.#refuse('the requests of this client needed too much work in the last minute');
  }

  /**
   * Counts requests, or what counts as much, against the rate limit.
   *
   * @throws {Problem} if there are too many in this minute.
   */
  countRequests(units = 1): void {
    const { rateLimit } = this.#options;
    if (rateLimit === undefined) return;
    this.#startWindow();
    // What is refused counts, too: else a client that goes on would be answered again at once.
    this.#units += units;
    if (this.#units > rateLimit) throw this.#refuse(`a client may send ${rateLimit} requests a minute`);
  }

  #refuse(detail: string): Problem {
    const seconds = Math.max(1, Math.ceil((this.#windowEnd - this.#options.now()) / 1000));
    return new Problem('rate-limited', detail, { 'retry-after': String(seconds) });
  }

  #startWindow(): void {
    const now = this.#options.now();
    if (now < this.#windowEnd) return;
    this.#windowEnd = now + WINDOW;
    this.#steps = 0;
    this.#units = 0;
  }
}

/** The accounts of all clients. */
export class Clients {
  readonly #options: ClientsOptions & { readonly now: () => number };
  readonly #accounts: LRUCache<string, Client> = new LRUCache({ max: MAX_ACCOUNTS });

  constructor(options: ClientsOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /** The account of an address. */
  get(address: string): Client {
    const key = getClientKey(address);
    const client = this.#accounts.get(key) ?? new Client(this.#options);
    this.#accounts.set(key, client);
    return client;
  }
}
