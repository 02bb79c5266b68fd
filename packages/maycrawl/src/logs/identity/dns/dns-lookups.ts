// Lookups of names and addresses for verification: over the network, at a limited rate.

import { setTimeout as sleepFor } from 'node:timers/promises';
import { getSharedResolver, isLocalFailure, queryNames, type Resolver } from '@maycrawl/client/internal';
import { checkOptions } from '@maycrawl/core/internal';
import { formatPrefix, parsePrefix } from '../address.ts';

/** Looks names and addresses up. `undefined` stands for no result: no name server has responded, or it has failed. */
export interface DnsLookups {
  /** Returns the names of an address, of its PTR records. Empty: it has none. */
  reverse(address: string): Promise<readonly string[] | undefined>;
  /** Returns the addresses of a name. Empty: it has none. */
  forward(name: string): Promise<readonly string[] | undefined>;
}

/** How name servers are queried. */
export interface NetworkLookupOptions {
  /** Name servers of reverse lookups. @defaultValue those of the system */
  readonly servers?: readonly string[] | undefined;
  /** The resolver of forward lookups. @defaultValue that of this process */
  readonly resolver?: Resolver | undefined;
  /** @defaultValue 20 */
  readonly perSecond?: number;
  /** Milliseconds of one lookup. @defaultValue 5,000 */
  readonly timeout?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** Codes of c-ares that say that a name has no addresses. */
const NO_ADDRESSES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Creates lookups over the network. The resolver of the client finds the addresses of names, without search lists.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws {RangeError} if a rate or a time is not above 0.
 */
export function createNetworkLookups(options: NetworkLookupOptions = {}): DnsLookups {
  checkOptions<NetworkLookupOptions>('createNetworkLookups', options, {
    ...{ servers: 'array', resolver: 'object', perSecond: 'number', timeout: 'number' },
    ...{ now: 'function', sleep: 'function' },
  });
  const { servers, perSecond = 20, timeout = 5_000 } = options;
  if (!(perSecond > 0)) throw new RangeError(`perSecond must be above 0, not ${perSecond}`);
  if (!(timeout > 0)) throw new RangeError(`timeout must be above 0, not ${timeout}`);
  const takeTurn = createPace(1_000 / perSecond, options);
  const look = async (query: (signal: AbortSignal) => Promise<readonly string[]>) => {
    await takeTurn();
    try {
      return await query(AbortSignal.timeout(timeout));
    } catch (error) {
      if (NO_ADDRESSES.has(getCode(error))) return [];
      if (isDnsFailure(error)) return undefined;
      throw error;
    }
  };
  return {
    reverse: (address) => look((signal) => queryNames(toFullForm(address), { servers, signal })),
    // The dot at the end excludes search lists.
    forward: (name) =>
      look((signal) => (options.resolver ?? getSharedResolver()).resolve(`${name}.`, { signal })),
  };
}

/** Returns a function that resolves when it is the caller's turn. */
function createPace(
  interval: number,
  { now = () => performance.now(), sleep = sleepFor }: NetworkLookupOptions,
): () => Promise<void> {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const [time, turn] = [now(), Math.max(now(), next)];
    next = turn + interval;
    if (turn > time) await sleep(turn - time);
  };
}

/** Failures of DNS have codes of c-ares; others are errors of the program. */
function isDnsFailure(error: unknown): boolean {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return isTimeout || isLocalFailure(error) || /^E[A-Z0-9]+$/.test(getCode(error));
}

function getCode(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}

/** Writes all digits of an IPv6 address, from which its name in `ip6.arpa` follows. */
function toFullForm(address: string): string {
  const prefix = parsePrefix(address);
  if (prefix === undefined || prefix.family === 4)
    return prefix === undefined ? address : (formatPrefix(prefix).split('/')[0] as string);
  const digits = prefix.start.toString(16).padStart(32, '0');
  return (digits.match(/.{4}/g) as string[]).join(':');
}
