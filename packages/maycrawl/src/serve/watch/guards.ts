// Refuses requests for the monitor from pages of other sites (cross-site request forgery), and from other machines if the monitor has
// no tokens.
import type { IncomingMessage } from 'node:http';
import { parseUrl } from '@maycrawl/core/url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../http/host-guard.ts';
import { Problem } from '../http/problems.ts';

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Adds the guards. @param isOpen - whether there are no tokens: then only clients of this machine may use the monitor. */
export function addWatchGuards(api: FastifyInstance, isOpen: boolean): void {
  api.addHook('onRequest', (request, _reply, done) => {
    if (isOpen && !isLocal(request.raw))
      return done(
        new Problem(
          'unauthorized',
          'without tokens only this machine may use the monitor: start the service with --token-file',
        ),
      );
    // Pages of other sites could not read the responses, but cause the work.
    const isCrossSiteRead = request.headers['sec-fetch-site'] === 'cross-site';
    if (isCrossSiteRead || (CHANGING.includes(request.method) && isCrossSite(request)))
      return done(new Problem('cross-site', 'only pages of this service may use the monitor'));
    done();
  });
  // Forms of other pages can send three media types; JSON is none of them.
  api.addHook('preValidation', (request, _reply, done) => {
    const { 'content-type': type = '' } = request.headers;
    if (request.method !== 'POST' || /^application\/json *(;|$)/i.test(type)) return done();
    done(new Problem('unsupported-media-type', 'the content-type must be application/json'));
  });
}

/** Whether a browser reports that the page is of another origin. Other programs send neither header. */
function isCrossSite({ headers, host }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  // The browser compares origins itself; a proxy may have changed the host.
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return parseUrl(origin)?.host !== host.toLowerCase();
}

/** Headers of requests that a proxy forwards (RFC 7239, RFC 9110 section 7.6.3). */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

function isLocal({ headers, socket }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}
