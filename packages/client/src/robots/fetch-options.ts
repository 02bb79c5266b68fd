// The options of a fetch, and the input of a transport.
import type { Profile } from '@maycrawl/core';
import { type OptionTypes, quoteValue } from '@maycrawl/core/internal';
import type { AddressPolicy } from '../http/address-policy.ts';
import type { Resolver } from '../http/dns/resolver.ts';
import type { RequestSigner } from '../signatures/request-signer.ts';
import type { Connect } from './connect.ts';
import type { Hop, Validators } from './fetch-result.ts';
import type { Deadlines, Phases } from './phases.ts';

/** The maximum number of redirects (RFC 9309 section 2.3.1.2: at least five; Google: five). */
export const MAX_REDIRECTS = 5;

/** The options of a fetch. */
export interface FetchOptions {
  /** A profile, or the name of one. It decides what status 429 means. @defaultValue `GOOGLE` */
  readonly profile?: Profile | string;
  /** The User-Agent header: visible ASCII and spaces. @defaultValue `maycrawl` */
  readonly userAgent?: string;
  /** Milliseconds for the whole fetch, redirects included, up to an hour. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Milliseconds for single phases of each request. @defaultValue 10,000 or 20,000 for each */
  readonly deadlines?: Partial<Deadlines>;
  /** Maximum number of bytes of the body. @defaultValue 512,000 */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /**
   * Whether private addresses are allowed (docs/fetching.md): `true`, always; `false`, never, for URLs of strangers. A refusal is
   * `unreachable` with the code `private-address`.
   *
   * @defaultValue only for the origin of the URL that is passed, not for redirects
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The allowed addresses, instead of `allowPrivateAddresses`. */
  readonly addressPolicy?: AddressPolicy | undefined;
  /** Whether to read the body of a 5xx, and set `saysNotFound` if it says that the page was not found. @defaultValue false */
  readonly readsErrorBodies?: boolean;
  /** Decides whether a redirect may be followed to a URL. A result that is not a boolean is an error. @defaultValue every redirect may */
  readonly mayFollow?: (url: string) => boolean | Promise<boolean>;
  /** Resolves host names. @defaultValue one resolver for the whole process (docs/fetching.md) */
  readonly resolver?: Resolver;
  /** Signs each request (`createRequestSigner`). @defaultValue requests are not signed */
  readonly signer?: RequestSigner | undefined;
}

export const FETCH_OPTIONS: OptionTypes<FetchOptions> = {
  // `resolveProfile` checks it.
  profile: 'any',
  // `requireUserAgent` checks it.
  userAgent: 'any',
  timeout: 'number',
  deadlines: 'object',
  maxBytes: 'number',
  signal: 'object',
  allowPrivateAddresses: 'boolean',
  addressPolicy: 'object',
  readsErrorBodies: 'boolean',
  mayFollow: 'function',
  resolver: 'object',
  signer: 'object',
};

/** @throws {RangeError} if a value is not a User-Agent header. */
export function requireUserAgent(userAgent: unknown): void {
  if (typeof userAgent === 'string' && /^[ -~]+$/.test(userAgent)) return;
  throw new RangeError(`not a User-Agent header: ${quoteValue(userAgent)}`);
}

/** The options of a transport. */
export type FetchSettings = Required<
  Pick<FetchOptions, 'userAgent' | 'maxBytes' | 'readsErrorBodies' | 'mayFollow'>
> & {
  readonly profile: Profile;
  readonly validators: Validators | undefined;
  readonly signer: RequestSigner | undefined;
};

/** The resources of one fetch. */
export interface FetchContext {
  readonly phases: Phases;
  readonly connect: Connect;
  /** Aborts when a deadline is missed, or when the caller aborts. */
  readonly signal: AbortSignal;
  /** Receives each request that got a response. */
  readonly hops: Hop[];
}
