// The options of {@link import('./origins.ts').Origins}, and their validation.
import { GOOGLE, type Profile, type RobotsTxt, resolveProfile } from '@maycrawl/core';
import { type OptionTypes, quoteValue } from '@maycrawl/core/internal';
import type { AddressPolicy } from '../http/address-policy.ts';
import { requireMethods } from '../http/caller-objects.ts';
import { MAX_TIMEOUT, refetchRobotsTxt } from '../robots/fetch.ts';
import { requireUserAgent } from '../robots/fetch-options.ts';
import {
  createRequestSigner,
  type RequestSigner,
  requireSignatureOptions,
  type SignatureOptions,
} from '../signatures/request-signer.ts';
import { MemoryStore } from '../store/memory.ts';
import type { ClientStore } from '../store/store.ts';
import type { ClientEvent } from './events/client-event.ts';
import type { Fetcher } from './fetch-origin.ts';
import { allowsRedirect } from './redirect-rules.ts';

/** How origins are fetched. */
export interface OriginsOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /**
   * Whether private addresses are allowed (docs/fetching.md): `true`, always; `false`, never.
   *
   * @defaultValue only for the origins that callers pass, not for redirects
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The allowed addresses, instead of `allowPrivateAddresses`. */
  readonly addressPolicy?: AddressPolicy | undefined;
  /** A profile, or the name of one. @defaultValue `GOOGLE` */
  readonly profile?: Profile | string;
  /** Stores responses. The caller closes it. @defaultValue the memory of this process */
  readonly store?: ClientStore;
  /** Milliseconds for one fetch, redirects included, up to an hour. @defaultValue 30,000 */
  readonly timeout?: number;
  /**
   * Milliseconds for which a response that is no longer fresh may be used while it is fetched in the background.
   *
   * @defaultValue 0: callers wait
   */
  readonly staleWhileRevalidate?: number;
  /**
   * Returns whether other pages of a site can be fetched, which counts in outages of more than thirty days. If it returns `undefined`,
   * the client requests `/`, as without this option.
   */
  readonly isSiteReachable?: (origin: string) => boolean | undefined;
  /** Returns whether a redirect may lead to a URL, by the rules of its site. @defaultValue the rules for `*` decide */
  readonly mayFollow?: (url: string, robots: RobotsTxt) => boolean;
  /** Signs the requests (Web Bot Auth). @defaultValue requests are not signed */
  readonly signature?: SignatureOptions | undefined;
  /** Called for each event. Its errors become warnings of the process. */
  readonly onEvent?: (event: ClientEvent) => void;
  /**
   * When the clients of HTTP and FTP are loaded. `early`: a process that cannot open files later can still fetch. `on-demand`: a process
   * that ends soon starts faster.
   *
   * @defaultValue `early`
   */
  readonly loading?: 'early' | 'on-demand';
  readonly fetcher?: Fetcher;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

export const ORIGINS_OPTIONS: OptionTypes<OriginsOptions> = {
  // `requireUserAgent` checks it.
  userAgent: 'any',
  allowPrivateAddresses: 'boolean',
  addressPolicy: 'object',
  // `resolveProfile` checks it.
  profile: 'any',
  // `requireStore` checks it.
  store: 'any',
  timeout: 'number',
  staleWhileRevalidate: 'number',
  isSiteReachable: 'function',
  mayFollow: 'function',
  // `requireSignatureOptions` checks it.
  signature: 'any',
  onEvent: 'function',
  loading: 'string',
  fetcher: 'function',
  now: 'function',
};

type Optional = 'allowPrivateAddresses' | 'addressPolicy' | 'onEvent' | 'isSiteReachable' | 'signature';

/** Options with their defaults. */
export type ResolvedOptions = Required<Omit<OriginsOptions, Optional | 'profile'>> &
  Pick<OriginsOptions, Exclude<Optional, 'signature'>> & {
    readonly profile: Profile;
    readonly signer: RequestSigner | undefined;
  };

/**
 * Validates options whose names and types are checked, and adds the defaults.
 *
 * @throws {RangeError} if `userAgent` is not a User-Agent header, if `timeout` or `staleWhileRevalidate` is not a time, and for an unknown
 *   profile or `loading`.
 * @throws {TypeError} if `profile` is neither a name nor a profile, and if `store` or `addressPolicy` lacks a method.
 * @throws as `createRequestSigner` does for `signature`.
 */
export function resolveOptions(options: OriginsOptions): ResolvedOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const all = {
    profile: GOOGLE,
    store: new MemoryStore(),
    timeout: 30_000,
    loading: 'early' as const,
    staleWhileRevalidate: 0,
    mayFollow: allowsRedirect,
    fetcher: refetchRobotsTxt,
    now: Date.now,
    ...(Object.fromEntries(given) as unknown as OriginsOptions),
  };
  const { userAgent, addressPolicy, store, timeout, staleWhileRevalidate, loading, now } = all;
  const { signature, ...others } = all;
  if (addressPolicy !== undefined) requireMethods('an address policy', addressPolicy, ['permits']);
  requireUserAgent(userAgent);
  requireStore(store);
  if (loading !== 'early' && loading !== 'on-demand')
    throw new RangeError(`loading is "early" or "on-demand", not ${quoteValue(loading)}`);
  if (!(timeout >= 1 && timeout <= MAX_TIMEOUT))
    throw new RangeError(`not a timeout in milliseconds: ${timeout}`);
  if (!(staleWhileRevalidate >= 0))
    throw new RangeError(`staleWhileRevalidate is a time in milliseconds, not ${staleWhileRevalidate}`);
  if (signature !== undefined) requireSignatureOptions(signature);
  // Stores take whole milliseconds only.
  return {
    ...others,
    profile: resolveProfile(all.profile),
    now: () => Math.floor(now()),
    signer: signature === undefined ? undefined : createRequestSigner({ now, ...signature }),
  };
}

/** The methods of a store that a client needs, and those that it calls if there are all of them. */
const STORE_METHODS = ['get', 'record'] as const satisfies readonly (keyof ClientStore)[];
const LEASE_METHODS = ['lease', 'renew', 'release'] as const satisfies readonly (keyof ClientStore)[];

/** @throws {TypeError} if a value is not a store. A client continues without a store that fails, so an invalid one would remain unnoticed. */
export function requireStore(store: Partial<ClientStore> | null): void {
  const has = (name: keyof ClientStore): boolean => typeof store?.[name] === 'function';
  const needed = LEASE_METHODS.some(has) ? [...STORE_METHODS, ...LEASE_METHODS] : STORE_METHODS;
  requireMethods('a store', store, needed);
}
