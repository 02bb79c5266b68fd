// The connections of one fetch. Each phase of a connection has its deadline.
import type { Socket } from 'node:net';
import type { AddressPolicy } from '../http/address-policy.ts';
import { type ConnectionTarget, connectTo } from '../http/connector.ts';
import type { Resolver } from '../http/dns/resolver.ts';
import type { Phases } from './phases.ts';

/** Connects to the server of a URL, and enters the phase `headers`. @throws as {@link connectTo} does. */
export type Connect = (url: string, target?: ConnectionTarget) => Promise<Socket>;

/**
 * Creates the function that opens the connections of one fetch.
 *
 * @param addressing - how host names are resolved, and which addresses are allowed.
 * @param signal - its abort closes all connections.
 */
export function createConnect(
  addressing: { readonly resolver: Resolver; readonly policy: AddressPolicy },
  phases: Phases,
  signal: AbortSignal,
): Connect {
  return async (url, target) => {
    const options = { ...addressing, signal, onPhase: phases.enter.bind(phases) };
    const socket = await connectTo(url, options, target);
    const destroy = (): void => {
      socket.destroy(signal.reason as Error);
    };
    signal.addEventListener('abort', destroy);
    // The reader of the socket handles the error, too, unless it has finished.
    socket.on('error', () => {});
    socket.on('close', () => signal.removeEventListener('abort', destroy));
    phases.enter('headers');
    return socket;
  };
}
