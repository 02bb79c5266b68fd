/**
 * Keeps pages of other sites from using the monitor through a person's browser, and other machines from using a monitor without
 * tokens.
 *
 * @module
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../http/host-guard.ts';
import { Problem } from '../http/problems.ts';

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** @param isOpen - whether there are no tokens: then only clients of this machine may use the monitor. */
export function refuseStrangers(api: FastifyInstance, isOpen: boolean): void {
  api.addHook('onRequest', (request, _reply, done) => {
    if (isOpen && !isFromThisMachine(request.raw))
      return done(
        new Problem(
          'unauthorized',
          'the monitor without tokens is for this machine alone: behind a proxy, or for others, give a --token-file',
        ),
      );
    // Pages of other sites could not read the answers, but make the service look for them.
    const isCrossSiteQuestion = request.headers['sec-fetch-site'] === 'cross-site';
    if (isCrossSiteQuestion || (CHANGING.includes(request.method) && isCrossSite(request)))
      return done(new Problem('cross-site', 'only the pages of this service use the monitor'));
    done();
  });
  // Forms of other pages can send three types; none of them is JSON.
  api.addHook('preValidation', (request, _reply, done) => {
    const { 'content-type': type = '' } = request.headers;
    if (request.method !== 'POST' || /^application\/json *(;|$)/i.test(type)) return done();
    done(new Problem('unsupported-media-type', 'changes are sent as application/json'));
  });
}

/** Whether a browser says that the page of another origin asks. Programs say nothing. */
function isCrossSite({ headers, host }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  // It is the browser's own word; the host may have been changed by a proxy.
  if (site !== undefined) return site !== 'same-origin';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase();
}

/** Headers with which a proxy says for whom it sends a request (RFC 7239, RFC 9110 section 7.6.3). */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  return isLoopback(socket.remoteAddress ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}
