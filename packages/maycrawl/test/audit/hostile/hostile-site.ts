/**
 * Sites that mean harm, or are just broken: each its own server, with harmless pages beside what is wrong with it.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, RunStore, StoredUrl } from '../../../src/audit/run/run-store.ts';

/** A request to a site, and all by which it can be answered. */
export interface Ask {
  /** Path and query. */
  readonly target: string;
  readonly origin: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** How often this target was fetched, this time included. */
  readonly times: number;
}

/** What is wrong with a site, and what must come of it. */
export interface HostileSite {
  readonly name: string;
  /** What the start page links to, beside the harmless pages. `/hostile`, if it is not told. */
  readonly links?: readonly string[];
  /** Answers what is not harmless. @returns `false` for what it does not answer: status 404. */
  readonly answer: (ask: Ask) => unknown;
  /**
   * What becomes of URLs, by their paths: `fetched 200`, `fetched 200 cut`, `failure timeout`, `trap`, `blocked`. Others may be found,
   * unless {@link isAll}.
   */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly isAll?: boolean;
  /** Requests at most, those for harmless pages included. */
  readonly requests?: number;
  /** Whatever else must hold. */
  readonly check?: (seen: Seen) => unknown;
}

/** What was seen of a site, by the site and by the crawl. */
export interface Seen {
  readonly run: RunStore;
  readonly requests: readonly string[];
  /** The URLs of the site that were found, with their paths. */
  readonly urls: readonly (StoredUrl & { readonly path: string })[];
  /** What became of them, by their paths. */
  readonly outcomes: ReadonlyMap<string, string>;
}

/** Pages that any crawl of a site must have fetched in the end. */
export const HARMLESS: readonly string[] = ['/ok/1', '/ok/2', '/ok/3'];

/** A page with links. */
export function pageWith(links: readonly string[], head = '<title>page</title>'): string {
  const anchors = links.map((link) => `<a href="${link}">a</a>`);
  return `<!doctype html><html><head>${head}</head><body>${anchors.join('\n')}</body></html>`;
}

/** A site, until it is closed. */
export interface HostileServer {
  readonly origin: string;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a site. Its start page can be its own matter. */
export async function startHostile({ links = ['/hostile'], answer }: HostileSite): Promise<HostileServer> {
  const requests: string[] = [];
  let origin = '';
  const server = createServer((request, response) => {
    const target = request.url ?? '';
    requests.push(target);
    // Who is cut off, is; the site does not care.
    response.on('error', () => {});
    const html = (body: string): void => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(body);
    };
    if (HARMLESS.includes(target)) html(pageWith([]));
    else {
      const times = requests.filter((each) => each === target).length;
      if (answer({ target, origin, request, response, times }) !== false) return;
      if (target === '/') html(pageWith([...links, ...HARMLESS]));
      else response.writeHead(404).end();
    }
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers one path, and leaves the rest. */
export function only(path: string, answer: (ask: Ask) => void): HostileSite['answer'] {
  return (ask) => {
    if (ask.target !== path) return false;
    answer(ask);
    return true;
  };
}

/** Answers with bytes as they are, and perhaps ends the connection. */
export function raw(
  bytes: string | Buffer,
  end: 'close' | 'reset' | 'open' = 'close',
): HostileSite['answer'] {
  return only('/hostile', ({ request: { socket } }) => {
    if (end === 'close') socket.end(bytes);
    else
      socket.write(bytes, () => {
        if (end === 'reset') socket.resetAndDestroy();
      });
  });
}

/** Answers with a page. */
export function send(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Buffer,
  status = 200,
): HostileSite['answer'] {
  return only('/hostile', ({ response }) => {
    response.writeHead(status, headers as Record<string, string | string[]>).end(body);
  });
}

/** Writes one piece after the other until nobody listens. @param pause - milliseconds between them. */
export function pour(
  response: Ask['response'] | Ask['request']['socket'],
  pieceOf: () => string | Buffer,
  pause = 0,
): void {
  const next = (): void => {
    if (response.destroyed) return;
    const isTaken = response.write(pieceOf());
    if (pause > 0) setTimeout(next, pause);
    else if (isTaken) setImmediate(next);
    else response.once('drain', next);
  };
  next();
}

/** What became of a URL, in the words of the tables. */
export function outcomeOf(state: string, page: Page | undefined): string {
  if (page === undefined) return state;
  const { outcome } = page;
  if (outcome.kind === 'failure') return `failure ${outcome.code}`;
  return `${state} ${outcome.facts.status}${outcome.facts.isTruncated ? ' cut' : ''}`;
}
