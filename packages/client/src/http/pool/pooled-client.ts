// One connection of a pool, which carries one request at a time.
import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici';
import { ConnectionGuard } from '../connection-guard.ts';
import { Client } from '../undici.ts';
import type { PooledRequest } from './pooled-request.ts';

/** What a pool dispatches: undici wraps the handler, so the request is an option as well. */
export interface PooledDispatchOptions extends Dispatcher.DispatchOptions {
  readonly request: PooledRequest;
}

/** A client of undici whose connection is guarded. */
export class PooledClient extends Client {
  readonly #getGuard: () => ConnectionGuard | undefined;

  /** @param connect - makes the connections, one after the other has closed. */
  constructor(origin: string | URL, options: UndiciClient.Options, connect: buildConnector.connector) {
    let guard: ConnectionGuard | undefined;
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...result) => {
          const [, socket] = result;
          if (socket !== null) guard = new ConnectionGuard(socket);
          callback(...result);
        }),
    });
    this.#getGuard = () => guard;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    (options as PooledDispatchOptions).request.getGuard = this.#getGuard;
    return super.dispatch(options, handler);
  }
}
