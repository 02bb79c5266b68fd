/**
 * The connections of one fetch. Each phase of making one has its deadline.
 *
 * @module
 */
import type { Socket } from 'node:net';
import type { AddressPolicy } from '../http/address-policy.ts';
import { type ConnectionPhase, type ConnectionTarget, connectTo } from '../http/connector.ts';
import type { Resolver } from '../http/dns/resolver.ts';
import type { Phases } from './outage/phases.ts';

/** How the addresses of hosts are found, and which may be connected to. */
export interface Addressing {
  readonly resolver: Resolver;
  readonly policy: AddressPolicy;
}

/** Makes connections for one fetch. */
export class Connector {
  readonly #addressing: Addressing;
  readonly #phases: Phases;
  readonly #signal: AbortSignal;

  /** @param signal - its abort ends all connections. */
  constructor(addressing: Addressing, phases: Phases, signal: AbortSignal) {
    this.#addressing = addressing;
    this.#phases = phases;
    this.#signal = signal;
  }

  /** Connects to the server of a URL. The phase of waiting for its response begins. @throws as {@link connectTo} does. */
  async connect(url: string, target?: ConnectionTarget): Promise<Socket> {
    const phases = this.#phases;
    const onPhase = (phase: ConnectionPhase): void => phases.enter(phase);
    const socket = await connectTo(url, { ...this.#addressing, signal: this.#signal, onPhase }, target);
    this.#closeOnAbort(socket);
    phases.enter('headers');
    return socket;
  }

  #closeOnAbort(socket: Socket): void {
    const signal = this.#signal;
    const destroy = (): void => {
      socket.destroy(signal.reason as Error);
    };
    signal.addEventListener('abort', destroy);
    // The reader of the connection gets it, too; there may be none any more.
    socket.on('error', () => {});
    socket.on('close', () => signal.removeEventListener('abort', destroy));
  }
}
