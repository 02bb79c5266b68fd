/**
 * Accounts of clients: what each uses now, and what it used in the last minute, so that one cannot take the share of the others.
 *
 * A client may use of a resource at most as much as is free for the others (dynamic thresholds, Choudhury and Hahne 1998): one
 * client a half, two a third each, n clients 1/(n+1) each. However many use as much as they may, some is free for the next.
 *
 * @module
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { Problem } from '../http/problems.ts';
import type { Limits } from './limits.ts';
import { Semaphore } from './semaphore.ts';

/** What a client uses for a time. */
export type Resource = 'requests' | 'bodyBytes' | 'lineBodies' | 'tasks' | 'streams' | 'metrics';

/** For each resource the limit of one client, what it is, and the limit of all clients if there is one. */
const RESOURCES: Readonly<
  Record<Resource, readonly [limit: keyof Limits, name: string, total?: keyof Limits]>
> = {
  requests: ['clientRequests', 'requests at the same time', 'requests'],
  bodyBytes: ['clientBodyBytes', 'bytes of bodies at the same time', 'allBodyBytes'],
  lineBodies: ['clientLineBodies', 'bodies of lines at the same time'],
  // Those of all clients are limited where they wait (fair-queue.ts).
  tasks: ['clientTasks', 'tasks for threads at the same time'],
  streams: ['clientStreams', 'event streams at the same time', 'streams'],
  metrics: ['clientMetrics', 'requests for metrics at the same time'],
};

/** How much of each resource is used. */
type Usage = Record<Resource, number>;

function createUsage(): Usage {
  return { requests: 0, bodyBytes: 0, lineBodies: 0, tasks: 0, streams: 0, metrics: 0 };
}

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

/** The client of all that a proxy forwards without a usable address. */
const UNKNOWN = 'unknown';

/**
 * The client of an address: the address itself, or the network of 64 bits of an IPv6 address, all of whose addresses one machine
 * can use (RFC 4291 section 2.5.1). An IPv6 address that contains an IPv4 address is that one. Some proxies forward the port of
 * the client, too, which is another for each connection and does not count. What is no address is one client: a text of the
 * client's choice must not be a new client each time.
 */
export function getClientKey(written: string): string {
  const address = written.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  if (!ipaddr.isValid(address)) return UNKNOWN;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : formatNetwork(parsed as ipaddr.IPv6, 64);
}

/**
 * The network of 48 bits of an IPv6 client, in which one subscriber can have 65,536 networks of 64 bits (RFC 6177); `undefined` for
 * IPv4.
 *
 * @param key - of the client.
 */
function getSiteKey(key: string): string | undefined {
  const [network, bits] = key.split('/');
  return bits === '64' ? formatNetwork(ipaddr.IPv6.parse(network as string), 48) : undefined;
}

function formatNetwork(address: ipaddr.IPv6, bits: 48 | 64): string {
  const parts = address.parts.slice(0, bits / 16);
  return `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`;
}

/** What one request of a client uses of a resource. */
export interface Share {
  /**
   * Takes more.
   *
   * @throws {Problem} if it is more than the share of one client.
   */
  add(amount: number): void;
  /** Gives all of it back; further calls do nothing. */
  readonly release: () => void;
}

/** The account of one client. */
export class Client {
  /** Lets only so many fetches for this client run at the same time. */
  readonly fetches: Semaphore;
  readonly #options: ClientsOptions & { readonly now: () => number };
  readonly #used: Usage = createUsage();
  /** What all clients use. */
  readonly #total: Usage;
  /** What all clients of the same network of 48 bits use. */
  readonly #site: Usage | undefined;
  #windowEnd = 0;
  #steps = 0;
  #units = 0;

  /** Use {@link Clients.get}. */
  constructor(
    options: ClientsOptions & { readonly now: () => number },
    total: Usage,
    site: Usage | undefined,
  ) {
    this.#options = options;
    this.#total = total;
    this.#site = site;
    this.fetches = new Semaphore(options.limits.clientFetches);
  }

  /**
   * Takes one of a resource.
   *
   * @returns gives it back; further calls do nothing.
   * @throws {Problem} if it is more than the share of one client.
   */
  take(resource: Resource): () => void {
    const share = this.open(resource);
    share.add(1);
    return share.release;
  }

  /** Opens a share of a resource, which grows. */
  open(resource: Resource): Share {
    const usages = [this.#used, this.#total, ...(this.#site === undefined ? [] : [this.#site])];
    let taken = 0;
    const change = (amount: number): void => {
      taken += amount;
      for (const usage of usages) usage[resource] += amount;
    };
    return {
      add: (amount) => {
        this.#require(resource, amount);
        change(amount);
      },
      release: () => change(-taken),
    };
  }

  #require(resource: Resource, amount: number): void {
    const { limits } = this.#options;
    const [key, name, totalKey] = RESOURCES[resource];
    const free = totalKey === undefined ? Number.POSITIVE_INFINITY : limits[totalKey] - this.#total[resource];
    const limit = Math.min(limits[key], free);
    const used = this.#used[resource];
    const usedBySite = this.#site?.[resource] ?? 0;
    if (used === 0 && amount > free)
      throw new Problem('overloaded', `all clients together use too many ${name}`, { 'retry-after': '1' });
    if (used + amount > limit || usedBySite + amount > free)
      throw new Problem('client-limit', `one client may now use ${limit} ${name}`, { 'retry-after': '5' });
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
  readonly #sites: LRUCache<string, Usage> = new LRUCache({ max: MAX_ACCOUNTS });
  readonly #total: Usage = createUsage();

  constructor(options: ClientsOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /** The account of an address. */
  get(address: string): Client {
    const key = getClientKey(address);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const client = new Client(this.#options, this.#total, this.#getSite(key));
    this.#accounts.set(key, client);
    return client;
  }

  #getSite(clientKey: string): Usage | undefined {
    const key = getSiteKey(clientKey);
    if (key === undefined) return undefined;
    const site = this.#sites.get(key) ?? createUsage();
    this.#sites.set(key, site);
    return site;
  }
}
