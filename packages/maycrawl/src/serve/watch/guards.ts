/**
 * What keeps pages of other sites from using the monitor through somebody's browser: they may neither change anything, nor reach a
 * service of this machine under a name of their own (DNS rebinding).
 *
 * @module
 */
import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problems.ts';

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** @param isOpen - whether anybody who reaches the service may ask: without tokens, and without a proxy before it. */
export function refuseStrangers(api: FastifyInstance, isOpen: boolean): void {
  api.addHook('onRequest', (request, _reply, done) => {
    if (isOpen && isLoopback(request.socket.localAddress ?? '') && !isLoopback(nameIn(request.host)))
      return done(
        new Problem(
          'cross-site',
          'a service of this machine is asked by the name of this machine: localhost',
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

function nameIn(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}

/** Whether a name or address is of this machine, whatever others say. */
function isLoopback(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '');
  if (address === '::1' || (isIPv4(address) && address.startsWith('127.'))) return true;
  return /^(.+\.)?localhost\.?$/i.test(address);
}
