// Finding the addresses of host names: hosts file, cache, name servers.
//
// Unlike `dns.lookup`, which runs on the few threads of libuv's pool, a slow name server delays no other name, and a query that
// is cancelled ends. There is no mDNS and no NSS module but "files" and "dns".
import { isIP } from 'node:net';
import { checkOptions, type OptionTypes } from '@maycrawl/core/internal';
import { LRUCache } from 'lru-cache';
import { InFlight } from '../../event-loop/in-flight.ts';
import { requireSignal } from '../caller-objects.ts';
import { LocalFailureError } from '../local-failure.ts';
import { CachedFile } from './cached-file.ts';
import {
  type AddressRecords,
  createNotFoundError,
  getDnsCode,
  isDnsResponse,
  isRefusal,
  queryAddresses,
} from './dns-query.ts';
import { MAX_LIFETIME, NameServerState, type SentQuery } from './name-server-state.ts';
import { checkQueueLimits, QueryQueue, type QueryQueueLimits } from './query-queue.ts';
import { HOSTS_PATH, listCandidates, parseHosts, parseSearchList, RESOLV_CONF_PATH } from './system-names.ts';

/** How a caller waits for addresses. */
export interface ResolveOptions {
  /** Its abort ends the query, unless another caller waits for the same name. */
  readonly signal?: AbortSignal;
  /** Is called when the name begins to wait for its turn in a queue of this process. */
  readonly onQueue?: (() => void) | undefined;
  /** Is called when the query is sent, after the wait in the queue. */
  readonly onSend?: (() => void) | undefined;
}

/** Finds the addresses of host names. */
export interface Resolver {
  /**
   * Finds the addresses of a host name.
   *
   * @param hostname - in the form of `URL.hostname`, without brackets. An IP address is its own address.
   * @returns at least one address, IPv4 before IPv6.
   * @throws an error whose `code` is that of the DNS failure, such as `ENOTFOUND` or `ESERVFAIL`.
   * @throws {LocalFailureError} if the name server does not respond to anything, or too many names wait.
   * @throws the signal's reason if it is aborted.
   */
  resolve(hostname: string, options?: ResolveOptions): Promise<readonly string[]>;
}

/** How names are resolved. */
export interface ResolverOptions {
  /** Name servers: addresses, each with a port if it is not 53. @defaultValue those of the system, with its search list */
  readonly servers?: readonly string[];
  /** The hosts file. @defaultValue that of the system */
  readonly hostsPath?: string;
  /** The file with the search list. @defaultValue that of the system, or none if there are `servers` */
  readonly searchPath?: string;
  readonly limits?: Partial<QueryQueueLimits>;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Concurrent queries to a name server, which is often on this machine. */
const LIMITS: QueryQueueLimits = {
  prompt: 100,
  total: 1_000,
  perGroup: 20,
  waiting: 20_000,
  slowAfter: 500,
  maxWait: 60_000,
};
const MAX_CACHED = 10_000;
/** The shortest time for which addresses are cached, and the time for which it is cached that there are none, in milliseconds. */
const MIN_LIFETIME = 5_000;
const NOT_FOUND_LIFETIME = 5_000;
/** Milliseconds without a response to any query after which a name server is probed. */
const PROBE_DELAY = 100;
/** Loopback addresses, which names under `localhost` always have (RFC 6761 section 6.3). */
const LOOPBACK: readonly string[] = /* @__PURE__ */ Object.freeze(['127.0.0.1', '::1']);
/** Domains that must not be queried, because they have no records (RFC 6761 section 6.4, RFC 7686). */
const NEVER_RESOLVED: readonly string[] = ['invalid', 'onion'];

type Cached = { readonly expiresAt: number } & (
  | { readonly addresses: readonly string[] }
  | { readonly error: unknown }
);

/** The state of a query that some callers wait for. */
interface Flight {
  /** The callers that wait to be called when the query is sent. */
  readonly onSend: Set<() => void>;
  sentAt: number | undefined;
}

const RESOLVE_OPTIONS: OptionTypes<ResolveOptions> = {
  ...{ signal: 'object', onQueue: 'function', onSend: 'function' },
};

/**
 * Creates a resolver. Callers that share one share its cache and limits.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  checkOptions<ResolverOptions>('createResolver', options, {
    ...{ servers: 'array', hostsPath: 'string', searchPath: 'string', limits: 'object', now: 'function' },
  });
  checkQueueLimits(options.limits ?? {});
  return Object.freeze(new DnsResolver(options));
}

let shared: Resolver | undefined;

/** The resolver that all connections of this process share unless they have their own. */
export function getSharedResolver(): Resolver {
  shared ??= createResolver();
  return shared;
}

class DnsResolver implements Resolver {
  readonly #servers: readonly string[] | undefined;
  readonly #hosts: CachedFile<ReadonlyMap<string, readonly string[]>>;
  readonly #search: CachedFile<ReturnType<typeof parseSearchList>>;
  readonly #queue: QueryQueue;
  readonly #cache: LRUCache<string, Cached> = new LRUCache({ max: MAX_CACHED });
  readonly #inFlight: InFlight<readonly string[]> = new InFlight();
  readonly #flights: Map<string, Flight> = new Map();
  readonly #now: () => number;
  readonly #nameServers: NameServerState;

  constructor({
    servers,
    hostsPath = HOSTS_PATH,
    searchPath,
    limits,
    now = () => performance.now(),
  }: ResolverOptions) {
    this.#servers = servers && [...servers];
    this.#nameServers = new NameServerState({ servers: this.#servers, now });
    this.#hosts = new CachedFile(hostsPath, parseHosts, now);
    const path = searchPath ?? (servers === undefined ? RESOLV_CONF_PATH : undefined);
    this.#search = new CachedFile(path ?? '', parseSearchList, now);
    this.#queue = new QueryQueue({ ...LIMITS, ...limits });
    this.#now = now;
  }

  async resolve(hostname: string, options: ResolveOptions = {}): Promise<readonly string[]> {
    checkOptions<ResolveOptions>('Resolver.resolve', options, RESOLVE_OPTIONS);
    requireSignal(options.signal);
    options.signal?.throwIfAborted();
    if (isIP(hostname) !== 0) return [hostname];
    const absolute = hostname.toLowerCase();
    // A dot at the end means that no search list applies.
    const name = absolute.replace(/\.$/, '');
    if (isUnder(name, 'localhost')) return LOOPBACK;
    if (NEVER_RESOLVED.some((domain) => isUnder(name, domain))) throw createNotFoundError(name);
    const written = this.#hosts.content.get(name);
    if (written !== undefined) return Object.freeze(written);
    const cached = this.#cache.get(absolute);
    if (cached !== undefined && this.#now() < cached.expiresAt) {
      if ('error' in cached) throw cached.error;
      return cached.addresses;
    }
    return this.#join(absolute, options);
  }

  /** Waits for the one query for a name, which ends when no caller waits any more. */
  async #join(absolute: string, { signal, onQueue, onSend }: ResolveOptions): Promise<readonly string[]> {
    const joined = this.#inFlight.join(absolute, (own) => this.#start(absolute, own), signal);
    const flight = this.#flights.get(absolute) as Flight;
    if (flight.sentAt === undefined) {
      onQueue?.();
      if (onSend !== undefined) flight.onSend.add(onSend);
    }
    const joinedAt = this.#now();
    try {
      return await joined;
    } catch (error) {
      throw signal?.aborted ? this.#describeAbort(flight, joinedAt, signal.reason) : error;
    } finally {
      if (onSend !== undefined) flight.onSend.delete(onSend);
    }
  }

  /** What the end of waiting means: if no name server has responded to anything meanwhile, the fault is not the name's. */
  #describeAbort({ sentAt }: Flight, joinedAt: number, reason: unknown): unknown {
    if (sentAt === undefined || this.#nameServers.respondedAt >= Math.min(sentAt, joinedAt)) return reason;
    return createUnreachableError(reason);
  }

  #start(absolute: string, signal: AbortSignal): Promise<readonly string[]> {
    const flight: Flight = { onSend: new Set(), sentAt: undefined };
    this.#flights.set(absolute, flight);
    const onSend = (): void => {
      flight.sentAt = this.#now();
      for (const each of flight.onSend) each();
      flight.onSend.clear();
    };
    return this.#query(absolute, signal, onSend).finally(() => {
      if (this.#flights.get(absolute) === flight) this.#flights.delete(absolute);
      // A probe would keep the process alive.
      if (this.#flights.size === 0) this.#nameServers.endProbe();
    });
  }

  async #query(absolute: string, signal: AbortSignal, onSend: () => void): Promise<readonly string[]> {
    const name = absolute.replace(/\.$/, '');
    // Loaded when it is first used: its list of public suffixes is large.
    const { getDomain } = await import('tldts');
    const release = await this.#queue.enter(getDomain(name) ?? name, signal);
    const sentAt = this.#now();
    onSend();
    const probe = setTimeout(() => this.#nameServers.probe(sentAt), PROBE_DELAY);
    try {
      const candidates = name === absolute ? listCandidates(name, this.#search.content) : [name];
      const { addresses, ttl } = await this.#queryFirst(candidates, signal);
      const lifetime = Math.min(Math.max(ttl * 1000, MIN_LIFETIME), MAX_LIFETIME);
      this.#cache.set(absolute, { addresses, expiresAt: this.#now() + lifetime });
      // All callers get the same list.
      return Object.freeze(addresses);
    } catch (error) {
      signal.throwIfAborted();
      const failure = await this.#describeFailure(absolute, error, { sentAt, signal });
      signal.throwIfAborted();
      throw failure;
    } finally {
      clearTimeout(probe);
      release();
    }
  }

  /** Queries for names one after another, until one has addresses. */
  async #queryFirst(candidates: readonly string[], signal: AbortSignal): Promise<AddressRecords> {
    let failure: unknown;
    for (const candidate of candidates) {
      try {
        const records = await queryAddresses(candidate, { servers: this.#servers, signal });
        this.#nameServers.setResponded(true);
        return records;
      } catch (error) {
        signal.throwIfAborted();
        if (isDnsResponse(error)) this.#nameServers.setResponded(!isRefusal(error));
        // Where it is not known whether the name is in this domain, the next one could give the address of another host.
        if (getDnsCode(error) !== 'ENOTFOUND') throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** What a failed query means. That a name has no addresses is cached. */
  async #describeFailure(absolute: string, error: unknown, query: SentQuery): Promise<unknown> {
    const code = getDnsCode(error);
    if (code === 'ENOTFOUND' || code === 'EBADNAME') {
      this.#cache.set(absolute, { error, expiresAt: this.#now() + NOT_FOUND_LIFETIME });
      return error;
    }
    // A name server refuses one name because of a block list, and all names because of its rules about this machine.
    if (isRefusal(error))
      return (await this.#nameServers.isAnswering(query)) ? error : createUnreachableError(error);
    if (code === 'ECONNREFUSED') return createUnreachableError(error);
    return code === 'ETIMEOUT' && this.#nameServers.respondedAt < query.sentAt
      ? createUnreachableError(error)
      : error;
  }
}

function isUnder(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

function createUnreachableError(cause: unknown): LocalFailureError {
  const message = 'no name server of this machine responds, or it refuses queries';
  return new LocalFailureError('name-server-unreachable', message, { cause });
}
