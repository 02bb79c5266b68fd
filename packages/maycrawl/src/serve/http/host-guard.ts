/**
 * The hosts for which the service answers. A page of any site can let its own name resolve to the address of a service that only the
 * browser's machine reaches, and then read what that answers (DNS rebinding). So the `Host` header names this machine by an
 * address, or by a name that the operator has given.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { Problem } from './problems.ts';

/** Whether a name or an address is of this machine, whatever name servers answer (RFC 6761 section 6.3). */
export function isLoopback(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '');
  if (address === '::1' || (isIPv4(address) && address.startsWith('127.'))) return true;
  return /^(.+\.)?localhost\.?$/i.test(address);
}

/** The name or address in a `Host` header, without its port; empty if it has none. */
export function getHostName(host: string): string {
  // What `URL` would resolve or remove is no plain host.
  if (!/^(\[[\d:a-f.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)) return '';
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : '';
}

/**
 * The host that a request names: that of its target if it is a URL, as it is sent to a proxy (RFC 9112 section 3.2.2), else its `Host`
 * header.
 *
 * @returns `undefined` if it names none or several: Node gives the first `Host`, others may read the last.
 */
export function getRequestedHost({ url = '', headers, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++;
  if (count !== 1) return undefined;
  if (url.startsWith('/') || url === '*') return headers.host;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** Decides for which hosts the service answers. */
export class HostGuard {
  readonly #names: ReadonlySet<string>;
  /** Results by header: the same few come again and again. */
  readonly #known: Map<string, boolean> = new Map();

  /** @param names - names and addresses, beside those of the loopback interface. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => getHostName(isIP(name) === 6 ? `[${name}]` : name)));
  }

  /**
   * Whether the service answers for a host.
   *
   * @param host - the `Host` header as the connection had it, not as a proxy forwards it: pages can send that header.
   * @param localAddress - the address of this machine that the client has connected to.
   */
  isAllowed(host: string, localAddress: string): boolean {
    const key = `${localAddress} ${host}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const isAllowed = this.#check(getHostName(host), localAddress);
    if (key.length <= MAX_KNOWN_CHARS) this.#known.set(key, isAllowed);
    return isAllowed;
  }

  /** @throws {Problem} if the service does not answer for the host of a request, or it names none or several. */
  require(request: IncomingMessage): void {
    const host = getRequestedHost(request);
    if (host === undefined) throw new Problem('invalid-request', 'a request names one host');
    if (this.isAllowed(host, request.socket.localAddress ?? '')) return;
    throw new Problem(
      'misdirected',
      `the service does not answer for the host ${JSON.stringify(host.slice(0, 100))}: name it with --allowed-host`,
    );
  }

  #check(name: string, localAddress: string): boolean {
    if (name === '') return false;
    if (isLoopback(name) || this.#names.has(name)) return true;
    // An address cannot be made to resolve to another. Of a service of this machine alone no other address is right.
    return isIP(name.replace(/^\[|\]$/g, '')) !== 0 && !isLoopback(localAddress);
  }
}

/** Answers that stay in memory, and how long their headers may be. */
const MAX_KNOWN = 1_000;
const MAX_KNOWN_CHARS = 300;
