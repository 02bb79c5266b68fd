// The host guard: the service serves only requests that name it in their `Host` header. A page of any site can let its own name
// resolve to the address of a service that only the browser's machine reaches, and then read the responses (DNS rebinding).

import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { truncate } from '@maycrawl/core/internal';
import { parseUrl, removeBrackets } from '@maycrawl/core/url';
import { Problem } from './problems.ts';

/** Whether a name or an address is the loopback interface, independent of DNS (RFC 6761 section 6.3). */
export function isLoopback(name: string): boolean {
  const address = removeBrackets(name).replace(/^::ffff:/i, '');
  if (address === '::1' || (isIPv4(address) && address.startsWith('127.'))) return true;
  return /^(.+\.)?localhost\.?$/i.test(address);
}

/** Returns the name or address in a `Host` header, without its port; an empty string if the header is invalid. */
export function getHostName(host: string): string {
  // `URL` accepts more: paths, credentials and other things that are not part of a host.
  if (!/^(\[[\d:a-f.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)) return '';
  return parseUrl(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
}

/**
 * Returns the host that a request names: that of its target if the target is a URL, as it is sent to a proxy (RFC 9112 section
 * 3.2.2), else its `Host` header.
 *
 * @returns `undefined` if it names none or several. Node reports the first `Host` header; a proxy may use the last.
 */
function getRequestedHost({ url = '', headers, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++;
  if (count !== 1) return undefined;
  if (url.startsWith('/') || url === '*') return headers.host;
  return parseUrl(url)?.host;
}

/** Results in memory, and the length of their keys. */
const MAX_RESULTS = 1_000;
const MAX_KEY_CHARS = 300;

/** Decides which hosts the service serves. */
export class HostGuard {
  readonly #names: ReadonlySet<string>;
  /** Results by local address and header: most requests have the same few. */
  readonly #results: Map<string, boolean> = new Map();

  /** @param names - names and addresses of the service, in addition to those of the loopback interface. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => getHostName(isIP(name) === 6 ? `[${name}]` : name)));
  }

  /** Returns the problem of a request that does not name exactly one host of this service; `undefined` if it does. */
  findProblem(request: IncomingMessage): Problem | undefined {
    const host = getRequestedHost(request);
    if (host === undefined) return new Problem('invalid-request', 'a request needs exactly one Host header');
    if (this.isAllowed(host, request.socket.localAddress ?? '')) return undefined;
    const shown = JSON.stringify(truncate(host, 100));
    return new Problem('misdirected', `the host ${shown} is not allowed: add it with --allowed-host`);
  }

  /**
   * Whether the service serves a host.
   *
   * @param host - the `Host` header of the connection. `X-Forwarded-Host` does not count, because pages can send it.
   * @param localAddress - the address of this machine that the client has connected to.
   */
  isAllowed(host: string, localAddress: string): boolean {
    const key = `${localAddress} ${host}`;
    const known = this.#results.get(key);
    if (known !== undefined) return known;
    if (this.#results.size >= MAX_RESULTS) this.#results.clear();
    const isAllowed = this.#check(getHostName(host), localAddress);
    if (key.length <= MAX_KEY_CHARS) this.#results.set(key, isAllowed);
    return isAllowed;
  }

  #check(name: string, localAddress: string): boolean {
    if (name === '') return false;
    if (isLoopback(name) || this.#names.has(name)) return true;
    // An address does not depend on DNS. A service that listens on loopback only has no other address.
    return isIP(removeBrackets(name)) !== 0 && !isLoopback(localAddress);
  }
}
