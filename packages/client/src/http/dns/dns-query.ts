// One query for the addresses of a name, or for the names of an address (c-ares), which can be cancelled. Knows nothing of hosts files, caches and limits.
import { promises as dns, type RecordWithTtl } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

/** The addresses of a name. */
export interface AddressRecords {
  /** IPv4 before IPv6. */
  readonly addresses: readonly string[];
  /** Seconds for which all of them may be cached. */
  readonly ttl: number;
}

export interface QueryOptions {
  /** Name servers, each with a port if it is not 53; `undefined`: those of the system. */
  readonly servers: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds until a query is repeated, which double each time, and the number of attempts. */
const RETRY = { timeout: 1_500, tries: 4 };
/** Milliseconds to wait for the other address family when one family has addresses (RFC 8305 section 3). */
const RESOLUTION_DELAY = 50;
/** Addresses of one family that are used. */
const MAX_ADDRESSES = 32;

/** Codes of responses that say that there are no addresses. */
const NO_ADDRESSES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);
/** Codes of queries to which no name server has responded. */
const NO_RESPONSE: ReadonlySet<string> = new Set([
  'ETIMEOUT',
  'ECONNREFUSED',
  'ECANCELLED',
  'EBADNAME',
  'ENOMEM',
]);

/** Creates the error for a name that does not exist, or has no addresses. */
export function createNotFoundError(name: string, cause?: unknown): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address of ${name}`, { cause }), { code: 'ENOTFOUND' });
}

export function getDnsCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** Checks whether a name server has responded to a query that failed. */
export function isDnsResponse(error: unknown): boolean {
  return !NO_RESPONSE.has(getDnsCode(error));
}

/** Checks whether a name server has refused a query. */
export function isRefusal(error: unknown): boolean {
  return getDnsCode(error) === 'EREFUSED';
}

/**
 * Queries name servers for the A and AAAA records of a name, both at the same time.
 *
 * @param name - absolute. No search list applies.
 * @throws an error with the code of c-ares; `ENOTFOUND` if there is no such name, or it has no addresses.
 * @throws the signal's reason if it is aborted. The query has ended then.
 */
export async function queryAddresses(
  name: string,
  { servers, signal }: QueryOptions,
): Promise<AddressRecords> {
  signal.throwIfAborted();
  const resolver = createChannel(servers);
  const ended = new AbortController();
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = [
      settle(resolver.resolve4(name, { ttl: true })),
      settle(resolver.resolve6(name, { ttl: true })),
    ];
    await Promise.race([hasRecords(v4), hasRecords(v6), Promise.all([v4, v6])]);
    const late = sleep(RESOLUTION_DELAY, undefined, { signal: ended.signal }).catch(() => undefined);
    const both = await Promise.all([v4, v6].map((each) => Promise.race([each, late])));
    signal.throwIfAborted();
    return getRecords(name, both);
  } finally {
    ended.abort();
    signal.removeEventListener('abort', cancel);
    // Ends what is still under way, such as the query for the other family.
    resolver.cancel();
  }
}

/**
 * Queries name servers for the names of an address (PTR records).
 *
 * @param address - IPv4 in dotted decimal, or IPv6 as eight groups of four hexadecimal digits.
 * @returns an empty list if name servers say that it has none.
 * @throws an error with the code of c-ares; the signal's reason if it is aborted. The query has ended then.
 */
export async function queryNames(
  address: string,
  { servers, signal }: QueryOptions,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const resolver = createChannel(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return (await resolver.resolvePtr(toReverseName(address))).slice(0, MAX_ADDRESSES);
  } catch (error) {
    signal.throwIfAborted();
    if (NO_ADDRESSES.has(getDnsCode(error))) return [];
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The name of the PTR records of an address (RFC 1035 section 3.5, RFC 3596 section 2.5). */
function toReverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${[...address.replaceAll(':', '')].reverse().join('.')}.ip6.arpa`;
}

/** What name servers do with a query: `refuses` is the response REFUSED, `answers` is any other one. */
export type ProbeResult = 'answers' | 'refuses' | 'silent';

/**
 * Finds out whether a name server responds at all, with a query for the root, to which every one responds.
 *
 * @returns `silent` if none has responded in time, or the signal is aborted.
 */
export async function probeNameServers({ servers, signal }: QueryOptions): Promise<ProbeResult> {
  const resolver = createChannel(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await resolver.resolveNs('.');
    return 'answers';
  } catch (error) {
    if (isRefusal(error)) return 'refuses';
    return isDnsResponse(error) ? 'answers' : 'silent';
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Queries are cancelled by channel, so each has its own. It reads the system's configuration as it is now. */
function createChannel(servers: readonly string[] | undefined): dns.Resolver {
  const resolver = new dns.Resolver(RETRY);
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

type Settled = { readonly records: readonly RecordWithTtl[] } | { readonly error: unknown };

function settle(query: Promise<readonly RecordWithTtl[]>): Promise<Settled> {
  return query.then(
    (records) => ({ records }),
    (error: unknown) => ({ error }),
  );
}

/** Resolves when a query has given addresses, else never. */
function hasRecords(query: Promise<Settled>): Promise<void> {
  return new Promise((resolve) => {
    query.then((settled) => {
      if ('records' in settled && settled.records.length > 0) resolve();
    });
  });
}

function getRecords(name: string, settled: readonly (Settled | undefined)[]): AddressRecords {
  const given = settled.filter((each) => each !== undefined);
  const records = given.flatMap((each) => ('records' in each ? each.records.slice(0, MAX_ADDRESSES) : []));
  if (records.length > 0)
    return {
      addresses: records.map(({ address }) => address),
      ttl: Math.min(...records.map(({ ttl }) => ttl)),
    };
  const errors = given.flatMap((each) => ('error' in each ? [each.error] : []));
  const failure = errors.find((each) => !NO_ADDRESSES.has(getDnsCode(each)));
  if (failure !== undefined) throw failure;
  throw createNotFoundError(name, errors[0]);
}
