// The HTTP server below the framework: timeouts, limits of connections, pipelining.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import { type TimeSlices, timeSlices } from '@maycrawl/client/internal';
import type { FastifyServerFactory } from 'fastify';
import { hasUnreadBody } from '../http/body.ts';
import type { ProblemCode } from '../http/problems.ts';
import { createRequestClass } from '../http/request-class.ts';
import type { Limits } from '../limits/limits.ts';
import { type ConnectionState, Pipeline } from './pipeline.ts';

export interface HttpServerOptions {
  readonly limits: Pick<Limits, 'headTime' | 'headBytes' | 'idleTime' | 'connections' | 'connectionRequests'>;
  /** Refuses a request without the framework. @returns whether it did. */
  readonly tryRefuse: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly isDraining: () => boolean;
  /** Whether responses close their connections while the server drains. */
  readonly closesConnections: () => boolean;
  /** Receives the problem code of each connection that is destroyed. */
  readonly onRefusal: (code: ProblemCode) => void;
  /** @defaultValue the slices of this thread */
  readonly slices?: Pick<TimeSlices, 'isUsedUp' | 'giveWay'>;
}

/** The requests of each connection. */
const pipelines = new WeakMap<Socket, Pipeline>();

/** Returns what a connection waits for. */
export function getConnectionState(socket: Socket): ConnectionState {
  return pipelines.get(socket)?.state ?? (socket.bytesRead === 0 ? 'silent' : 'head');
}

/** Creates the factory of Fastify's server. */
export function createServerFactory({
  limits,
  tryRefuse,
  isDraining,
  closesConnections,
  onRefusal,
  slices = timeSlices,
}: HttpServerOptions): FastifyServerFactory<Server> {
  const { headTime, headBytes, idleTime, connections, connectionRequests } = limits;
  return (handler, options) => {
    const getPipeline = (socket: Socket): Pipeline => {
      let pipeline = pipelines.get(socket);
      if (pipeline === undefined) {
        const handle = (request: IncomingMessage, response: ServerResponse): boolean => {
          if (tryRefuse(request, response)) return true;
          handler(request, response);
          return false;
        };
        pipeline = new Pipeline(socket, handle, slices);
        pipelines.set(socket, pipeline);
      }
      return pipeline;
    };
    const listener: RequestListener = (request, response) => {
      const { socket, url } = request;
      // Requests that were parsed together with one for which the connection was destroyed.
      if (socket.destroyed) return;
      const pipeline = getPipeline(socket);
      if (pipeline.length >= connectionRequests) {
        onRefusal('client-limit');
        // A response would have to wait for all before it, while more requests arrive.
        socket.destroy();
        return;
      }
      // The liveness probe has its response however busy the service is.
      const isProbe = url === '/healthz' && pipeline.length === 0;
      if (pipeline.isDeferring || (!isProbe && slices.isUsedUp())) pipeline.defer(request, response);
      else pipeline.handle(request, response);
    };
    // A body may take longer than its head: json-body.ts limits it.
    const server = createServer(
      {
        ...{ headersTimeout: headTime, requestTimeout: 0, connectionsCheckingInterval: headTime / 4 },
        maxHeaderSize: headBytes,
        // The host guard refuses requests without a host. A refusal by Node would not be counted.
        requireHostHeader: false,
        IncomingMessage: createRequestClass(() => onRefusal('invalid-request')),
        ServerResponse: createResponseClass(isDraining, closesConnections),
      },
      listener,
    );
    // A server may ignore an unknown expectation (RFC 9110 section 10.1.1).
    server.on('checkExpectation', listener);
    // By default Node drops headers beyond 2,000 silently, among them possibly one that a guard needs.
    server.maxHeadersCount = 0;
    // Fastify sets it only for servers that it creates itself.
    server.keepAliveTimeout = Number(options['keepAliveTimeout']);
    // For every route: a response can also be larger than the buffers of a socket whose client does not read.
    server.setTimeout(idleTime);
    server.maxConnections = connections;
    // It would also destroy connections whose responses are complete, but not sent yet: stopping.ts closes the others.
    server.closeIdleConnections = () => {};
    server.on('drop', () => onRefusal('overloaded'));
    return server;
  };
}

/**
 * Creates the response class of a server. While the server closes connections, the response to the newest request of one has
 * `Connection: close` (RFC 9112 section 9.6). Those before it do not: Node would drop the requests behind them.
 */
function createResponseClass(
  isDraining: () => boolean,
  closesConnections: () => boolean,
): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: never[]): this {
      if (isDraining() && this.req.socket instanceof Socket) {
        const isLast = pipelines.get(this.req.socket)?.isNewest(this) ?? true;
        // To close it while the client still sends would reset it. The framework sets the header while it closes.
        if (closesConnections() && isLast && !hasUnreadBody(this.req)) this.shouldKeepAlive = false;
        else this.removeHeader('connection');
      }
      return Reflect.apply(super.writeHead, this, [status, ...rest]);
    }
  };
}
