/**
 * How a robots.txt is fetched, and what a transport gets for it.
 *
 * @module
 */
import type { Profile } from '@maycrawl/core';
import type { AddressPolicy } from '../http/address-policy.ts';
import type { Resolver } from '../http/dns/resolver.ts';
import type { Connector } from './connect.ts';
import type { Hop, Validators } from './fetch-result.ts';
import type { Deadlines, Phases } from './phases.ts';

/** How to fetch. */
export interface FetchOptions {
  /** Decides what status 429 means; `GOOGLE` if left out. */
  readonly profile?: Profile;
  /** The User-Agent header: visible ASCII and spaces. `maycrawl` if left out. */
  readonly userAgent?: string;
  /** Milliseconds for the whole fetch, redirects included, up to an hour; 30,000 if left out. */
  readonly timeout?: number;
  /** Milliseconds for single phases of each request; for those that are left out, 10,000 or 20,000. */
  readonly deadlines?: Partial<Deadlines>;
  /** How many bytes of the body count; 512,000 if left out. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /**
   * Whether addresses may be connected to that are not of the public Internet (private, loopback, link-local, those of this machine):
   * omitted, only for the origin of the URL that is passed, and nowhere that redirects or DNS responses lead to; `true`, always;
   * `false`, never: for servers that fetch what strangers name. A refusal is `unreachable`, with the code `private-address`.
   */
  readonly allowPrivate?: boolean | undefined;
  /** Which addresses may be connected to, in place of `allowPrivate`: for callers whose URLs come from somewhere else. */
  readonly addressPolicy?: AddressPolicy | undefined;
  /**
   * What to do with the body of a 5xx, which says on some sites that the page was not found: `ignore` it (default), `tell` so in
   * the result, or `believe` it: then the file is unavailable.
   */
  readonly errorBodies?: 'ignore' | 'tell' | 'believe';
  /** Whether a redirect may be followed to a URL; always if left out. */
  readonly mayFollow?: (url: string) => boolean | Promise<boolean>;
  /** Finds the addresses of names. @defaultValue one resolver for the whole process (docs/fetching.md) */
  readonly resolver?: Resolver;
}

/** How a transport fetches. */
export type Manner = Required<
  Pick<FetchOptions, 'profile' | 'userAgent' | 'maxBytes' | 'errorBodies' | 'mayFollow'>
> & {
  readonly validators: Validators | undefined;
};

/** What a transport fetches with. */
export interface Wire {
  readonly phases: Phases;
  readonly connector: Connector;
  /** Aborts when a deadline is missed, or when the caller has had enough. */
  readonly signal: AbortSignal;
  /** Gets each request that is answered. */
  readonly hops: Hop[];
}
