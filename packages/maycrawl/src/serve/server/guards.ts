/**
 * Who may ask, and how much at a time.
 *
 * @module
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { HostGuard } from '../http/host-guard.ts';
import { Problem } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import type { Context } from '../routes/context.ts';

/** Lets in those with a token (RFC 6750). */
export function requireToken(api: FastifyInstance, tokens: readonly string[]): void {
  if (tokens.length === 0) return;
  const hashes = tokens.map(hashOf);
  // After the rate limit, which also counts those who try tokens.
  api.addHook('preParsing', async ({ headers }) => {
    const token = /^Bearer +([!-~]+) *$/i.exec(headers.authorization ?? '')?.[1];
    const hash = hashOf(token ?? '');
    // All are compared, each in the same time.
    const isKnown = hashes.filter((each) => timingSafeEqual(each, hash)).length > 0;
    if (token === undefined || !isKnown)
      throw new Problem('unauthorized', 'send a known token as "Authorization: Bearer TOKEN"', {
        'www-authenticate': 'Bearer',
      });
  });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Answers only for the hosts of the service, on every route. */
export function requireHost(app: FastifyInstance, hosts: HostGuard): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    hosts.require(raw);
    done();
  });
}

/** Answers only so many requests of a client in a minute. */
export function limitRate(api: FastifyInstance, clients: Clients): void {
  api.addHook('onRequest', ({ ip }, _reply, done) => {
    clients.get(ip).countRequests();
    done();
  });
}

/** Answers so many requests at a time, and tells the others to come again, so that no queue grows. */
export function limitRequests(
  api: FastifyInstance,
  { limits, metrics, clients }: Pick<Context, 'limits' | 'metrics' | 'clients'>,
): void {
  api.addHook('onRequest', ({ ip }, reply, done) => {
    if (metrics.underWay >= limits.requests) {
      done(
        new Problem('overloaded', `${limits.requests} requests are being answered`, { 'retry-after': '1' }),
      );
      return;
    }
    const release = clients.get(ip).take('requests');
    metrics.underWay++;
    reply.raw.once('close', () => {
      metrics.underWay--;
      release();
    });
    done();
  });
}

/** Answers only so many requests for metrics of a client at a time, also while requests are refused because there are too many. */
export function limitMetrics(api: FastifyInstance, clients: Clients): void {
  api.addHook('onRequest', ({ ip }, reply, done) => {
    reply.raw.once('close', clients.get(ip).take('metrics'));
    done();
  });
}

/** What is posted needs a body. */
export function requireBody(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return;
    route.preParsing = (request, _reply, payload, done) => {
      const { 'content-encoding': encoding = 'identity' } = request.headers;
      if (encoding !== 'identity') {
        done(
          new Problem(
            'unsupported-media-type',
            `bodies are not read in the encoding ${encoding.slice(0, 20)}`,
          ),
        );
        return;
      }
      done(null, payload);
    };
    route.preValidation = (request, _reply, done) => {
      const isThere = request.body !== undefined;
      done(
        isThere
          ? undefined
          : new Problem('invalid-request', 'the request needs a body, and its content-type'),
      );
    };
  });
}
