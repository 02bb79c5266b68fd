// Hooks that limit who may use routes, and how much at a time.

import { truncate } from '@maycrawl/core/internal';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { addPreValidation } from './schema-names.ts';
import type { Tokens } from './tokens.ts';

/** Requires a bearer token. Without tokens every request is allowed. */
export function requireToken(api: FastifyInstance, tokens: Tokens): void {
  if (tokens.isEmpty) return;
  // After the rate limit, so that guessing tokens counts.
  api.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const token = /^Bearer +([!-~]+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (token !== undefined && tokens.has(token)) return done(null, payload);
    const detail = 'send a valid token as "Authorization: Bearer TOKEN"';
    done(new Problem('unauthorized', detail, { 'www-authenticate': 'Bearer' }));
  });
}

/** Limits the requests of each client in a minute. */
export function limitRate(api: FastifyInstance, clients: Clients): void {
  api.addHook('onRequest', ({ ip }, _reply, done) => {
    clients.get(ip).countRequests();
    done();
  });
}

interface RequestLimits {
  readonly limits: Pick<Limits, 'requests'>;
  readonly metrics: HttpMetrics;
  readonly clients: Clients;
}

/** Limits concurrent requests. Further ones are refused with `Retry-After` instead of being queued. */
export function limitRequests(api: FastifyInstance, { limits, metrics, clients }: RequestLimits): void {
  api.addHook('onRequest', ({ ip }, reply, done) => {
    if (metrics.inFlight >= limits.requests) {
      const detail = `the service already has ${limits.requests} requests in flight`;
      done(new Problem('overloaded', detail, { 'retry-after': '1' }));
      return;
    }
    const release = clients.get(ip).take('requests');
    metrics.inFlight++;
    reply.raw.once('close', () => {
      metrics.inFlight--;
      release();
    });
    done();
  });
}

/** Limits the concurrent requests of a client for metrics, which must also work while the service is overloaded. */
export function limitMetrics(api: FastifyInstance, clients: Clients): void {
  api.addHook('onRequest', ({ ip }, reply, done) => {
    reply.raw.once('close', clients.get(ip).take('metrics'));
    done();
  });
}

/** Requires a body, without content encoding, in every POST request. */
export function requireBody(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return;
    route.preParsing = (request, _reply, payload, done) => {
      const { 'content-encoding': encoding = 'identity' } = request.headers;
      if (encoding === 'identity') return done(null, payload);
      const detail = `the content encoding ${truncate(encoding, 20)} is not supported`;
      done(new Problem('unsupported-media-type', detail));
    };
    addPreValidation(route, (request, _reply, done) => {
      if (request.body !== undefined) return done();
      done(new Problem('invalid-request', 'the request needs a body and a content-type'));
    });
  });
}
