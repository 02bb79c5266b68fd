// Accounts of clients: what each client uses now and what it used in the last minute, so that no client takes the share of others.
//
// A client may use at most as much of a resource as is free for the others (dynamic thresholds, Choudhury and Hahne 1998): one
// client 1/2, two clients 1/3 each, n clients 1/(n+1) each. Clients that use their whole share leave some for the next client.
import { LRUCache } from 'lru-cache';
import { formatCount } from '../../text/counts.ts';
import { formatDuration } from '../../text/durations.ts';
import { Problem } from '../http/problems.ts';
import { getClientKey, getSiteKey } from './client-key.ts';
import { FairQueue } from './fair-queue.ts';
import type { Limits } from './limits.ts';
import { RateWindow } from './rate-window.ts';

/**
 * For each resource: the limit of one client, its name in messages, the limit of all clients if there is one, and the option that
 * changes the first if there is one.
 */
const RESOURCES = {
  connections: ['clientConnections', 'connections', 'connections', undefined],
  requests: ['clientRequests', 'concurrent requests', 'requests', '--client-requests'],
  bodyBytes: ['clientBodyBytes', 'bytes of request bodies', 'allBodyBytes', undefined],
  lineBodies: ['clientLineBodies', 'concurrent NDJSON bodies', undefined, undefined],
  pages: ['clientPages', 'concurrent checks of pages', 'pages', undefined],
  streams: ['clientStreams', 'event streams', 'streams', undefined],
  metrics: ['clientMetrics', 'concurrent requests for metrics', undefined, undefined],
} as const;

/** What a client uses for some time and then releases. */
export type Resource = keyof typeof RESOURCES;

/** The used amount of each resource. */
type Usage = Record<Resource, number>;

function createUsage(): Usage {
  return Object.fromEntries(Object.keys(RESOURCES).map((resource) => [resource, 0])) as Usage;
}

/** Accounts in memory: the least recently used ones are dropped. */
const MAX_ACCOUNTS = 50_000;
/** Length of an IPv6 address. A proxy can forward longer texts. */
const MAX_ADDRESS_CHARS = 45;

export interface ClientsOptions {
  readonly limits: Limits;
  /** Requests of one client in a minute. @defaultValue unlimited */
  readonly rateLimit?: number;
  /** A monotonic clock in milliseconds. @defaultValue `performance.now` */
  readonly now?: () => number;
}

/** What one request of a client uses of a resource. */
export interface Share {
  /** Takes more. @throws {Problem} if it exceeds the share of one client. */
  add(amount: number): void;
  /** Releases all of it; further calls do nothing. */
  readonly release: () => void;
}

/** All clients of one /48 network. */
interface Site {
  readonly used: Usage;
  readonly rate: RateWindow;
}

/** What all accounts share. */
interface Accounts {
  readonly limits: Limits;
  readonly used: Usage;
  readonly fetches: FairQueue;
  readonly now: () => number;
}

/** The account of one client. */
export class Client {
  readonly site: Site | undefined;
  /** Runs fetches for this client, a limited number at a time. They wait in a queue that is fair between clients. */
  readonly fetches: { readonly run: <T>(fetch: () => Promise<T>, signal: AbortSignal) => Promise<T> };
  readonly #all: Accounts;
  readonly #used: Usage = createUsage();
  /** Its own counters, and those of its site. */
  readonly #rates: readonly RateWindow[];

  /** Use {@link Clients.get}. */
  constructor(all: Accounts, rate: RateWindow, site: Site | undefined) {
    this.site = site;
    this.fetches = { run: (fetch, signal) => all.fetches.run(this, signal, fetch) };
    this.#all = all;
    this.#rates = site === undefined ? [rate] : [rate, site.rate];
  }

  /**
   * Takes one of a resource.
   *
   * @returns a function that releases it; further calls do nothing.
   * @throws {Problem} `client-limit` or `overloaded` if it exceeds the share of one client.
   */
  take(resource: Resource): () => void {
    const share = this.open(resource);
    share.add(1);
    return share.release;
  }

  /** Opens an empty share of a resource. */
  open(resource: Resource): Share {
    let taken = 0;
    const add = (amount: number): void => {
      this.#require(resource, amount);
      taken += amount;
      this.#change(resource, amount);
    };
    const release = (): void => {
      this.#change(resource, -taken);
      taken = 0;
    };
    return { add, release };
  }

  #change(resource: Resource, amount: number): void {
    this.#used[resource] += amount;
    this.#all.used[resource] += amount;
    if (this.site !== undefined) this.site.used[resource] += amount;
  }

  #require(resource: Resource, amount: number): void {
    const { limits, used: total } = this.#all;
    const [key, name, totalKey, option] = RESOURCES[resource];
    const free = totalKey === undefined ? Number.POSITIVE_INFINITY : limits[totalKey] - total[resource];
    const used = this.#used[resource];
    const usedBySite = this.site?.used[resource] ?? 0;
    const isUnlimited = limits[key] === Number.POSITIVE_INFINITY;
    if ((used === 0 || isUnlimited) && amount > free)
      throw new Problem('overloaded', `the service has reached its limit of ${name}`, { 'retry-after': '1' });
    const limit = Math.min(limits[key], free);
    if (isUnlimited || (used + amount <= limit && usedBySite + amount <= free)) return;
    const detail = `a client may use at most ${limit} ${name} now${formatOption(option)}`;
    throw new Problem('client-limit', detail, { 'retry-after': '5' });
  }

  /**
   * Runs a computation, and counts its time.
   *
   * @throws {Problem} as {@link requireWork} does.
   */
  compute<T>(run: () => T): T {
    this.requireWork();
    const { now } = this.#all;
    const start = now();
    try {
      return run();
    } finally {
      this.addWork(now() - start);
    }
  }

  /** Counts time of work. The total may exceed the limit; {@link requireWork} then refuses the next. */
  addWork(milliseconds: number): void {
    for (const rate of this.#rates) rate.addWork(milliseconds);
  }

  /** @throws {Problem} `rate-limited` if the client, or its /48 network, has used up its time for work in this minute. */
  requireWork(): void {
    const exceeded = this.#rates.find((rate) => !rate.hasWorkLeft());
    if (exceeded === undefined) return;
    const time = formatDuration(exceeded.limits.workTime);
    throw refuse(
      exceeded,
      `large files and long URLs of ${this.#getName(exceeded)} may take ${time} of computing per minute`,
      '--client-work',
    );
  }

  /**
   * Counts requests against the rate limits of the client and of its /48 network.
   *
   * @throws {Problem} `rate-limited` if there are too many in this minute.
   */
  countRequests(count = 1): void {
    // All of them count.
    const exceeded = this.#rates.filter((rate) => !rate.countRequests(count))[0];
    if (exceeded === undefined) return;
    throw refuse(
      exceeded,
      `${this.#getName(exceeded)} may send ${formatCount(exceeded.limits.requests ?? 0, 'request')} per minute`,
      '--rate-limit',
    );
  }

  /** Who has these counters. */
  #getName(rate: RateWindow): string {
    return rate === this.site?.rate ? 'the clients of a /48 network' : 'a client';
  }
}

function refuse(rate: RateWindow, detail: string, option: string): Problem {
  return new Problem('rate-limited', `${detail}${formatOption(option)}`, {
    'retry-after': String(rate.secondsLeft),
  });
}

/** Names the option of the operator that changes a limit. */
function formatOption(option: string | undefined): string {
  return option === undefined ? '' : ` (option ${option} of the service)`;
}

/** The accounts of all clients. */
export class Clients {
  readonly #options: ClientsOptions & { readonly now: () => number };
  readonly #clients: LRUCache<string, Client> = new LRUCache({ max: MAX_ACCOUNTS });
  readonly #sites: LRUCache<string, Site> = new LRUCache({ max: MAX_ACCOUNTS });
  /** Keys by address: to parse an address takes longer than a decision. */
  readonly #keys: LRUCache<string, string> = new LRUCache({ max: MAX_ACCOUNTS });
  readonly #all: Accounts;

  constructor(options: ClientsOptions) {
    this.#options = { now: () => performance.now(), ...options };
    const { limits } = options;
    const { now } = this.#options;
    const { fetches: places, clientFetches } = limits;
    const isLimited = clientFetches !== Number.POSITIVE_INFINITY;
    const fetches = new FairQueue({ places, ...(isLimited && { clientPlaces: clientFetches }) });
    this.#all = { limits, used: createUsage(), fetches, now };
  }

  /** Returns the account of an address (client-key.ts). */
  get(address: string): Client {
    const key = this.#getKey(address);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const client = new Client(this.#all, this.#createRateWindow(1), this.#getSite(key));
    this.#clients.set(key, client);
    return client;
  }

  #getKey(address: string): string {
    const known = this.#keys.get(address);
    if (known !== undefined) return known;
    const key = getClientKey(address);
    if (address.length <= MAX_ADDRESS_CHARS) this.#keys.set(address, key);
    return key;
  }

  #getSite(clientKey: string): Site | undefined {
    const key = getSiteKey(clientKey);
    if (key === undefined) return undefined;
    const known = this.#sites.get(key);
    if (known !== undefined) return known;
    const site = { used: createUsage(), rate: this.#createRateWindow(this.#options.limits.siteClients) };
    this.#sites.set(key, site);
    return site;
  }

  /** @param clients - how many clients the limits are for. */
  #createRateWindow(clients: number): RateWindow {
    const { limits, rateLimit, now } = this.#options;
    return new RateWindow(
      {
        requests: rateLimit === undefined ? undefined : rateLimit * clients,
        workTime: limits.clientWorkTime * clients,
      },
      now,
    );
  }
}
