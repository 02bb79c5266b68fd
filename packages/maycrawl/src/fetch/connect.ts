/**
 * Connections, watched: each phase of making one has its deadline, addresses are checked, and how a connection ended is known.
 *
 * @module
 */
import { lookup as lookupName } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { type AddressPolicy, requirePermitted } from '../http/address-policy.ts';
import { requireOpenPort } from '../http/blocked-ports.ts';
import { guardLookup, type Lookup } from './guard.ts';
import type { Phases } from './phases.ts';

/** How to find the addresses of hosts, and which may be connected to. */
export interface Addressing {
  readonly lookup: Lookup | undefined;
  readonly policy: AddressPolicy;
}

/** Makes connections for one fetch. */
export class Connector {
  readonly #addressing: Addressing;
  readonly #phases: Phases;
  readonly #signal: AbortSignal;
  /** The error by which the other side broke the last connection, if it did. */
  reset: Error | undefined;

  /** @param signal - its abort ends all connections. */
  constructor(addressing: Addressing, phases: Phases, signal: AbortSignal) {
    this.#addressing = addressing;
    this.#phases = phases;
    this.#signal = signal;
  }

  /**
   * Connects by TCP.
   *
   * @param origin - of the URL that is fetched.
   * @param host - a name, or an address without brackets.
   * @throws {BlockedPortError} {PrivateAddressError} if there must not be such a connection.
   */
  tcp(origin: string, host: string, port: number): Socket {
    const phases = this.#phases;
    this.reset = undefined;
    requireOpenPort(new URL(origin).protocol, port);
    phases.enter('lookup');
    if (isIP(host) !== 0) {
      requirePermitted(this.#addressing.policy, origin, host, host);
      phases.enter('connect');
    }
    const socket = connectTcp({ host, port, lookup: this.#lookup(origin) as LookupFunction });
    this.#watch(socket);
    return socket;
  }

  /** The connections that the HTTP client asks for. */
  readonly connect: buildConnector.connector = (options, callback) => {
    if (this.#signal.aborted) {
      // The HTTP client tries again by itself.
      callback(this.#signal.reason as Error, null);
      return;
    }
    const { hostname, protocol, port, servername } = options;
    const origin = `${protocol}//${options.host}`;
    const isSecure = protocol === 'https:';
    const host = hostname.replace(/^\[|\]$/g, '');
    let socket: Socket;
    try {
      socket = this.tcp(origin, host, port === '' ? (isSecure ? 443 : 80) : Number(port));
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    socket.setNoDelay(true).once('error', (error) => callback(error, null));
    socket.once('connect', () => {
      if (!isSecure) {
        this.#phases.enter('headers');
        callback(null, socket);
        return;
      }
      this.#phases.enter('tls');
      // A name is sent, an address must not be (RFC 6066 section 3).
      const name = servername || (isIP(host) === 0 ? host : '');
      const secure = connectTls({ socket, host, servername: name, ALPNProtocols: ['http/1.1'] });
      this.#watch(secure);
      secure.once('error', (error) => callback(error, null));
      secure.once('secureConnect', () => {
        this.#phases.enter('headers');
        callback(null, secure);
      });
    });
  };

  /** The look-up, after which the phase of connecting begins. */
  #lookup(origin: string): Lookup {
    const { lookup = lookupName as Lookup, policy } = this.#addressing;
    const guarded = guardLookup(lookup, policy, origin);
    return (hostname, options, callback) => {
      guarded(hostname, options, (error, found, family) => {
        if (error === null && found.length === 0) {
          callback(Object.assign(new Error(`no address of ${hostname}`), { code: 'ENOTFOUND' }), []);
          return;
        }
        if (error === null) this.#phases.enter('connect');
        callback(error, found, family);
      });
    };
  }

  #watch(socket: Socket): void {
    const signal = this.#signal;
    const destroy = (): void => {
      socket.destroy(signal.reason as Error);
    };
    signal.addEventListener('abort', destroy);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.reset = error;
    });
    socket.on('close', () => signal.removeEventListener('abort', destroy));
  }
}
