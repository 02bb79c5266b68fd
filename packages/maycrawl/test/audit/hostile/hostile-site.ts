// Serves hostile and broken sites: each has its own server, with harmless pages next to the hostile ones.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestServer } from '../../../../client/test/support/server.ts';
import type { Page } from '../../../src/audit/run/records/page.ts';
import type { StoredUrl } from '../../../src/audit/run/records/url.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { serveSite } from '../crawling.ts';

/** A request to a site, and its response. */
export interface Exchange {
  /** Path and query. */
  readonly target: string;
  readonly origin: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The number of requests for this target, including this one. */
  readonly times: number;
}

/** A hostile site, and the expected result of its crawl. */
export interface HostileSite {
  readonly name: string;
  /** The links on the start page in addition to the harmless pages. @defaultValue `/hostile` */
  readonly links?: readonly string[];
  /** Responds to requests for other than harmless pages. @returns `false` without a response: the status is 404. */
  readonly respond: (exchange: Exchange) => unknown;
  /**
   * The expected outcomes of paths: `fetched 200`, `fetched 200 cut`, `failure timeout`, `trap`, `blocked`.
   */
  readonly outcomes: Readonly<Record<string, string>>;
  /** The maximum number of requests, including harmless pages. */
  readonly requests?: number;
  /** Further expectations. */
  readonly check?: (seen: Seen) => unknown;
}

/** The requests to a site, and the result of its crawl. */
export interface Seen {
  readonly run: RunStore;
  readonly requests: readonly string[];
  /** The discovered URLs of the site, with their paths. */
  readonly urls: readonly (StoredUrl & { readonly path: string })[];
  /** The outcomes by path. */
  readonly outcomes: ReadonlyMap<string, string>;
}

/** Pages that every crawl of a site has to fetch. */
export const HARMLESS: readonly string[] = ['/ok/1', '/ok/2', '/ok/3'];

/** Formats a page with links. */
export function formatPage(links: readonly string[], head = '<title>page</title>'): string {
  const anchors = links.map((link) => `<a href="${link}">a</a>`);
  return `<!doctype html><html><head>${head}</head><body>${anchors.join('\n')}</body></html>`;
}

/** Starts a site until the end of the tests of the file. The site can respond with its own start page. */
export async function startHostileSite({
  links = ['/hostile'],
  respond,
}: Partial<HostileSite> & Pick<HostileSite, 'respond'>): Promise<TestServer> {
  const server = await serveSite((request, response) => {
    const { url: target = '', socket } = request;
    const { origin, requests } = server;
    // The site ignores aborted connections.
    response.on('error', () => {});
    if (socket.listenerCount('error') < 2) socket.on('error', () => {});
    const html = (body: string): void => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(body);
    };
    if (HARMLESS.includes(target)) html(formatPage([]));
    else {
      const times = requests.filter((each) => each === target).length;
      if (respond({ target, origin, request, response, times }) !== false) return;
      if (target === '/') html(formatPage([...links, ...HARMLESS]));
      else response.writeHead(404).end();
    }
  });
  return server;
}

/** Creates sites with one expected outcome of `/hostile`, by name. */
export function createSites(
  outcome: string,
  sites: Readonly<Record<string, HostileSite['respond']>>,
  more: Partial<HostileSite> = {},
): HostileSite[] {
  return Object.entries(sites).map(([name, respond]) => ({
    ...{ name, respond, outcomes: { '/hostile': outcome } },
    ...more,
  }));
}

/** Responds to one path only. */
export function respondTo(path: string, respond: (exchange: Exchange) => void): HostileSite['respond'] {
  return (exchange) => {
    if (exchange.target !== path) return false;
    respond(exchange);
    return true;
  };
}

/** Sends raw bytes, and optionally ends the connection. */
export function sendBytes(
  bytes: string | Buffer,
  end: 'close' | 'reset' | 'open' = 'close',
): HostileSite['respond'] {
  return respondTo('/hostile', ({ request: { socket } }) => {
    if (end === 'close') socket.end(bytes);
    else
      socket.write(bytes, () => {
        if (end === 'reset') socket.resetAndDestroy();
      });
  });
}

/** Sends a page. */
export function sendPage(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Buffer,
  status = 200,
): HostileSite['respond'] {
  return respondTo('/hostile', ({ response }) => {
    response.writeHead(status, headers as Record<string, string | string[]>).end(body);
  });
}

/** Writes pieces until the connection is closed. @param pause - milliseconds between two pieces. */
export function writePieces(
  response: Exchange['response'] | Exchange['request']['socket'],
  getPiece: () => string | Buffer,
  pause = 0,
): void {
  const next = (): void => {
    if (response.destroyed) return;
    const isBuffered = response.write(getPiece());
    if (pause > 0) setTimeout(next, pause);
    else if (isBuffered) setImmediate(next);
    else response.once('drain', next);
  };
  next();
}

/** Formats the outcome of a URL in the notation of the tables. */
export function formatOutcome(state: string, page: Page | undefined): string {
  if (page === undefined) return state;
  const { outcome } = page;
  if (outcome.kind === 'failure') return `failure ${outcome.code}`;
  return `${state} ${outcome.facts.status}${outcome.facts.isTruncated ? ' cut' : ''}`;
}
