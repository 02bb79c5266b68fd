// Connections that are kept and used again: for many requests to the same servers.

import { validateHeaderValue } from 'node:http';
import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici';
import type { AddressPolicy } from '../address-policy.ts';
import { requireMethods } from '../caller-objects.ts';
import { ConnectionGuard, MAX_HEADER_BYTES } from '../connection-guard.ts';
import { createPoolConnector, type PooledConnectionOptions } from '../connector.ts';
import { getSharedResolver, type Resolver } from '../dns/resolver.ts';
import { RequestError } from '../request-failure.ts';
import { splitUrl } from '../single-request.ts';
import { Agent, Client, Pool } from '../undici.ts';
import {
  CollectedRequest,
  type CollectedRequestOptions,
  type CollectedResponse,
} from './collected-request.ts';
import type { PooledRequest, PooledRequestOptions } from './pooled-request.ts';
import { StreamedRequest, type StreamedResponse } from './streamed-request.ts';

/** How a pool connects. */
export interface ConnectionPoolOptions {
  /** Connections to one origin. */
  readonly connections: number;
  /** Milliseconds for a connection, and for a request from the moment at which it is sent. Time in queues of this process is neither. */
  readonly timeout: number;
  readonly addressPolicy: AddressPolicy;
  /** @defaultValue the one of this process */
  readonly resolver?: Resolver;
}

/** A request without a body. */
export interface PoolRequest {
  /** @defaultValue `GET` */
  readonly method?: 'GET' | 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes of the response's body are of use. */
  readonly maxBytes: number;
}

/** Sends GET and HEAD requests over connections that are kept. Redirects are not followed (redirects.ts). */
export class ConnectionPool {
  readonly #agent: InstanceType<typeof Agent>;
  readonly #options: ConnectionPoolOptions;
  readonly #requests: Set<PooledRequest> = new Set();
  readonly #closing: AbortController = new AbortController();

  /** @throws {TypeError} if the policy or the resolver lacks a method. */
  constructor(options: ConnectionPoolOptions) {
    const { addressPolicy, resolver } = options;
    requireMethods('an address policy', addressPolicy, ['permits']);
    if (resolver !== undefined) requireMethods('a resolver', resolver, ['resolve']);
    this.#options = { ...options };
    const connect = createPoolConnector(() => this.#getConnectionOptions());
    // No time limits but those of the requests. One request at a time on a connection.
    const limits = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADER_BYTES };
    this.#agent = new Agent({
      factory: (origin) =>
        new Pool(origin, {
          ...limits,
          connections: options.connections,
          connect,
          factory: (url) => new PooledClient(url, limits, connect),
        }),
    });
  }

  /**
   * Requests a URL and collects the response.
   *
   * @param signal - its abort ends the request.
   * @throws {RequestError} if there is no complete response.
   * @throws {LocalFailureError} if this machine cannot find out or connect.
   * @throws {TypeError} for an invalid header.
   * @throws the reason of {@link ConnectionPool.abort}, and the signal's reason.
   */
  async collect(
    url: string,
    request: PoolRequest & Pick<CollectedRequestOptions, 'isRead'>,
    signal?: AbortSignal,
  ): Promise<CollectedResponse> {
    const { isRead } = request;
    return this.#send(url, request, (options) => new CollectedRequest({ ...options, isRead }), signal);
  }

  /**
   * Requests a URL and streams the body of the response, which the caller destroys.
   *
   * @param signal - its abort ends the request and the body.
   * @throws as {@link ConnectionPool.collect} does, and the signal's reason.
   */
  async stream(url: string, request: PoolRequest, signal: AbortSignal): Promise<StreamedResponse> {
    return this.#send(url, request, (options) => new StreamedRequest(url, options), signal);
  }

  /** Ends all requests. */
  abort(reason: unknown): void {
    for (const request of this.#requests) request.abort(reason);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the client is closed'));
    await this.#agent.destroy();
  }

  #send<Response>(
    url: string,
    { method = 'GET', headers, maxBytes }: PoolRequest,
    create: (options: PooledRequestOptions) => PooledRequest<Response>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    signal?.throwIfAborted();
    // Otherwise undici refuses the request after it has reserved a connection, which stays reserved.
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
    const onAbort = (): void => request.abort(signal?.reason);
    const request = create({
      timeout: this.#options.timeout,
      maxBytes,
      onEnd: (ended) => {
        signal?.removeEventListener('abort', onAbort);
        this.#requests.delete(ended);
      },
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#requests.add(request);
    const options: PooledDispatchOptions = { ...splitUrl(url), method, headers, request };
    this.#agent.dispatch(options, request);
    return request.promise;
  }

  /** The deadline of a connection does not run while the connection waits in the queue of the resolver. */
  #getConnectionOptions(): PooledConnectionOptions {
    const { addressPolicy, resolver = getSharedResolver(), timeout } = this.#options;
    const deadline = new AbortController();
    const late = (): void =>
      deadline.abort(new RequestError('timeout', `no connection within ${timeout} ms`));
    let timer: NodeJS.Timeout | undefined;
    return {
      resolver,
      policy: addressPolicy,
      signal: AbortSignal.any([this.#closing.signal, deadline.signal]),
      onPhase: (phase) => {
        if (phase === 'queue') {
          clearTimeout(timer);
          timer = undefined;
        } else timer ??= setTimeout(late, timeout);
      },
      onEnd: () => clearTimeout(timer),
    };
  }
}

/** What a pool dispatches: undici wraps the handler, so the request is an option as well. */
interface PooledDispatchOptions extends Dispatcher.DispatchOptions {
  readonly request: PooledRequest;
}

/** A client of undici whose connection is guarded. */
class PooledClient extends Client {
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
