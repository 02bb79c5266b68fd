// Makes connections for HTTP, FTP and mail: blocked ports, resolver, address policy, TCP, TLS.
//
// The connector connects to the addresses that the policy has checked: there is no second look-up. Proxies in the
// environment are not used. Deadlines belong to the callers, who abort.

import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { removeBrackets } from '@maycrawl/core/url';
import type { buildConnector } from 'undici';
import { type AddressPolicy, requirePermitted } from './address-policy.ts';
import { requireOpenPort } from './blocked-ports.ts';
import { requireMethods, requireSignal } from './caller-objects.ts';
import { connectToFirst } from './connect-first.ts';
import { createNotFoundError } from './dns/dns-query.ts';
import type { Resolver } from './dns/resolver.ts';
import { createCallerFailure, isRemoteFailure } from './local-failure.ts';
import { requireSupportedRuntime } from './undici.ts';

/** What a connection is being made of. `queue`: it waits for its turn to resolve a name, which is not the server's time. */
type ConnectionPhase = 'queue' | 'lookup' | 'connect' | 'tls';

/** How connections are made. */
export interface ConnectionOptions {
  readonly resolver: Resolver;
  readonly policy: AddressPolicy;
  /** Its abort ends the attempt. It has no effect on a connection that was made. */
  readonly signal: AbortSignal;
  /** Is called as each phase begins. */
  readonly onPhase?: (phase: ConnectionPhase) => void;
}

/** Where a connection leads, if not where the URL says. */
export interface ConnectionTarget {
  /** An IP address in place of the host. */
  readonly address?: string;
  readonly port?: number;
  /** The name for TLS, in place of the host. */
  readonly serverName?: string | undefined;
}

/** Default ports by the protocol of a URL. */
export const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ftp:': 21,
  'smtp:': 587,
  'smtps:': 465,
};

/**
 * Connects to the server of a URL. For https the TLS handshake is done.
 *
 * @param url - an http, https, ftp, smtp or smtps URL. Its origin decides what the policy permits.
 * @throws {TypeError} if the resolver, the policy or the signal lacks a method.
 * @throws {BlockedPortError} {PrivateAddressError} if there must not be such a connection.
 * @throws {LocalFailureError} if this machine cannot find out or connect.
 * @throws what the resolver and the sockets throw, and the signal's reason if it is aborted.
 */
export async function connectTo(
  url: string,
  options: ConnectionOptions,
  target: ConnectionTarget = {},
): Promise<Socket> {
  requireSupportedRuntime();
  const { resolver, policy, signal, onPhase } = options;
  requireSignal(signal);
  requireMethods('a resolver', resolver, ['resolve']);
  requireMethods('an address policy', policy, ['permits']);
  signal.throwIfAborted();
  const { protocol, hostname, port: written } = new URL(url);
  const host = target.address ?? removeBrackets(hostname);
  const port = target.port ?? (written === '' ? DEFAULT_PORTS[protocol] : Number(written));
  if (port === undefined) throw new RangeError(`no connections for ${protocol}`);
  requireOpenPort(protocol, port);
  onPhase?.('lookup');
  const resolving = resolve(resolver, host, {
    signal,
    onQueue: () => onPhase?.('queue'),
    onSend: () => onPhase?.('lookup'),
  });
  const addresses = requireAddresses(await endWith(resolving, signal));
  if (addresses.length === 0) throw createNotFoundError(host);
  for (const address of addresses) requirePermitted(policy, url, address, host);
  onPhase?.('connect');
  const socket = await connectToFirst(addresses, port, signal);
  socket.setNoDelay(true);
  if (protocol !== 'https:') return socket;
  onPhase?.('tls');
  return secure(socket, target.serverName ?? host, signal);
}

/** Resolves a name. An error without a code is one of the resolver's program, not of the name. */
async function resolve(
  resolver: Resolver,
  host: string,
  options: Parameters<Resolver['resolve']>[1],
): Promise<readonly string[]> {
  try {
    return await resolver.resolve(host, options);
  } catch (error) {
    const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string';
    if (isCoded || options?.signal?.aborted || !isRemoteFailure(error)) throw error;
    throw createCallerFailure('the resolver', error);
  }
}

/** @throws {LocalFailureError} `caller-failed` unless a resolver has returned a list of IP addresses. */
function requireAddresses(addresses: unknown): readonly string[] {
  if (Array.isArray(addresses) && addresses.every((each) => typeof each === 'string' && isIP(each) !== 0))
    return addresses as readonly string[];
  throw createCallerFailure('the resolver', new TypeError('its result is not a list of IP addresses'));
}

/** How a pool makes one of its connections. */
export interface PooledConnectionOptions extends ConnectionOptions {
  /** Is called when the connection is made, or has failed. */
  readonly onEnd?: () => void;
}

/**
 * Creates the function by which a pool of undici connects. A pool has connections of one origin only, so that a connection that the
 * policy permits for one origin never serves another.
 *
 * @param getOptions - gives the options of each connection.
 */
export function createPoolConnector(
  getOptions: (origin: string) => PooledConnectionOptions,
): buildConnector.connector {
  return ({ protocol, host, servername }, callback) => {
    const origin = `${protocol}//${host}`;
    const { onEnd, ...options } = getOptions(origin);
    connectTo(origin, options, { serverName: servername || undefined })
      .finally(onEnd)
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
  };
}

/** Creates a function by which a client of undici uses one connection, and does not connect again by itself if it closes. */
export function createSingleConnector(socket: Socket): buildConnector.connector {
  let isUsed = false;
  return (_options, callback) => {
    const isGone = isUsed || socket.destroyed;
    isUsed = true;
    // undici does not go on if the callback is called before this function returns.
    queueMicrotask(() => {
      if (isGone) callback(new Error('the connection was closed'), null);
      else callback(null, socket);
    });
  };
}

/** The same promise, but rejected after an abort, even if a resolver of the caller takes no notice of it. */
function endWith<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    // The resolver goes first: it may know that the name server is to blame, not the name.
    const abort = (): void => void setImmediate(() => reject(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Does the TLS handshake. The certificate must be for the host. */
async function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  // A name is sent without a dot at its end, an address must not be (RFC 6066 section 3).
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : '';
  const tls = connectTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] });
  try {
    await once(tls, 'secureConnect', { signal });
    return tls;
  } catch (error) {
    tls.on('error', () => {}).destroy();
    signal.throwIfAborted();
    throw error;
  }
}
