// Which addresses may be connected to: the guard against server-side request forgery (SSRF). A URL from outside (a web request,
// a redirect, a sitemap, a link, a DNS response) must not lead into the network of this machine. Knows nothing of sockets; the
// connector applies the policy to every address that it connects to.

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { checkOptions, quoteValue } from '@maycrawl/core/internal';
import {
  isLocalServerAddress,
  isPublicAddress,
  parseUrl,
  removeBrackets,
  toCanonicalAddress,
  toUrlText,
  type UrlInput,
} from '@maycrawl/core/url';
import { callCaller } from './local-failure.ts';

/** The stable code of the refusal. */
const CODE = 'private-address';
/** How long a list of this machine's addresses is used, in milliseconds. */
const OWN_ADDRESSES_LIFETIME = 1_000;

/** A connection was refused, because its address is not of the public Internet. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code: typeof CODE = CODE;
  /** The address that was refused. */
  readonly address: string;

  /** @param hostname - the host that the URL names. */
  constructor(address: string, hostname: string) {
    const where = address === hostname ? address : `${hostname}, which is ${address}`;
    super(`not a public address: ${where}`);
    this.address = address;
  }
}

/** Which addresses may be connected to. Immutable. */
export interface AddressPolicy {
  /**
   * Checks whether a request may connect to an address.
   *
   * @param url - the URL of the request, or its origin. A redirect is a request of its own.
   * @param address - IPv4 in dotted decimal, or IPv6 without brackets.
   */
  permits(url: string, address: string): boolean;
}

/** What a policy opens. */
export interface AddressPolicyOptions {
  /**
   * `true`: every address is open. `false`: only addresses of the public Internet are, whatever `openOrigins` says. Omitted: those,
   * and what `openOrigins` opens.
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /**
   * URLs that the caller or the operator wrote, never one that came from outside. Their origins (scheme, host and port) may be on
   * private addresses. `http://HOST` also opens `https://HOST`, where sites redirect to.
   */
  readonly openOrigins?: Iterable<UrlInput>;
  /** The addresses of this machine. @defaultValue those of `os.networkInterfaces()` */
  readonly getOwnAddresses?: () => Iterable<string>;
}

/**
 * Creates a policy.
 *
 * Addresses of this machine count as private, also public ones. An origin that is open by a host name may be on an address that
 * servers of a local network have; that a DNS response leads it to a link-local address or to the metadata of a cloud is
 * refused. An origin that is open by an IP address may be on that address.
 *
 * @example
 * const policy = createAddressPolicy({ openOrigins: ['http://localhost:3000/'] });
 * policy.permits('http://localhost:3000/robots.txt', '127.0.0.1'); // true
 * policy.permits('http://localhost:5432/', '127.0.0.1'); // false
 *
 * @throws {RangeError} if one of `openOrigins` is no URL.
 * @throws {TypeError} for an unknown option, or one of a wrong type: "false" as a text must not open what `false` closes.
 */
export function createAddressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  checkOptions<AddressPolicyOptions>('createAddressPolicy', options, {
    ...{ allowPrivateAddresses: 'boolean', openOrigins: ['array', 'object'], getOwnAddresses: 'function' },
  });
  const { allowPrivateAddresses, openOrigins = [], getOwnAddresses = getInterfaceAddresses } = options;
  if (allowPrivateAddresses === true) return Object.freeze({ permits: () => true });
  const open = new Set(allowPrivateAddresses === false ? [] : [...openOrigins].flatMap(toOpenOrigins));
  return Object.freeze({
    permits: (url: string, address: string): boolean => {
      const isOwn = isOwnAddress(address, getOwnAddresses);
      if (isPublicAddress(address) && !isOwn) return true;
      if (open.size === 0) return false;
      const { protocol, host, hostname } = new URL(url);
      if (!open.has(`${protocol}//${host}`)) return false;
      return isOwn || isLocalServerAddress(address) || isIP(removeBrackets(hostname)) !== 0;
    },
  });
}

/**
 * Requires that a request may connect to an address.
 *
 * @param url - the URL of the request, or its origin.
 * @param hostname - the host of the URL, for the message.
 * @throws {PrivateAddressError} if it may not.
 */
export function requirePermitted(
  policy: AddressPolicy,
  url: string,
  address: string,
  hostname: string,
): void {
  const isPermitted: unknown = callCaller('the address policy', () => policy.permits(url, address));
  if (isPermitted !== true) throw new PrivateAddressError(address, hostname);
}

/** The origin of a URL, with `https` if it is `http` on the default port. `URL.origin` is "null" for schemes such as smtp. */
function toOpenOrigins(url: UrlInput): string[] {
  const parsed = parseUrl(toUrlText(url));
  if (parsed === undefined) throw new RangeError(`not a URL: ${quoteValue(toUrlText(url))}`);
  const { protocol, host, port } = parsed;
  const origin = `${protocol}//${host}`;
  return protocol === 'http:' && port === '' ? [origin, `https://${host}`] : [origin];
}

function isOwnAddress(address: string, getOwnAddresses: () => Iterable<string>): boolean {
  const canonical = toCanonicalAddress(address);
  for (const own of getOwnAddresses()) if (toCanonicalAddress(own) === canonical) return true;
  return false;
}

let ownAddresses: readonly string[] = [];
let ownAddressesReadAt = Number.NEGATIVE_INFINITY;

/** The addresses of this machine. They change as networks come and go, and listing them takes system calls. */
function getInterfaceAddresses(): readonly string[] {
  const now = performance.now();
  if (now - ownAddressesReadAt >= OWN_ADDRESSES_LIFETIME) {
    ownAddresses = Object.values(networkInterfaces()).flatMap((each = []) =>
      each.map(({ address }) => address),
    );
    ownAddressesReadAt = now;
  }
  return ownAddresses;
}
