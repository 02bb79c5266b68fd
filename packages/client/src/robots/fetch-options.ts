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
import type { Deadlines, Phases } from './outage/phases.ts';

/** How many redirects are followed (RFC 9309 section 2.3.1.2: at least five; Google: five). */
export const MAX_REDIRECTS = 5;

/** How to fetch. */
export interface FetchOptions {
  /** Decides what status 429 means. @defaultValue `GOOGLE` */
  readonly profile?: Profile;
  /** The User-Agent header: visible ASCII and spaces. @defaultValue `maycrawl` */
  readonly userAgent?: string;
  /** Milliseconds for the whole fetch, redirects included, up to an hour. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Milliseconds for single phases of each request. @defaultValue 10,000 or 20,000 for each */
  readonly deadlines?: Partial<Deadlines>;
  /** How many bytes of the body count. @defaultValue 512,000 */
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
  /** Decides whether a redirect may be followed to a URL. @defaultValue every redirect may */
  readonly mayFollow?: (url: string) => boolean | Promise<boolean>;
  /** Finds the addresses of names. @defaultValue one resolver for the whole process (docs/fetching.md) */
  readonly resolver?: Resolver;
}

/** How a transport fetches. */
export type FetchSettings = Required<
  Pick<FetchOptions, 'profile' | 'userAgent' | 'maxBytes' | 'errorBodies' | 'mayFollow'>
> & {
  readonly validators: Validators | undefined;
};

/** What a transport fetches with. */
export interface FetchContext {
  readonly phases: Phases;
  readonly connector: Connector;
  /** Aborts when a deadline is missed, or when the caller has had enough. */
  readonly signal: AbortSignal;
  /** Gets each request that is answered. */
  readonly hops: Hop[];
}
