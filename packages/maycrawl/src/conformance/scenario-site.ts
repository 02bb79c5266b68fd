// The servers of one scenario: its site, and a second origin on another port.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScenarioReport } from '../api/conformance-report.ts';
import { escapeXml } from '../reports/xml.ts';
import { judgeScenario } from './judge.ts';
import { RequestLog } from './request-log.ts';
import type { Scenario } from './scenario.ts';
import { sendReply } from './send-reply.ts';

/** The address of all servers: nothing outside of this machine reaches them. */
const ADDRESS = '127.0.0.1';
/** Connections to one server: those that wait for a response would otherwise accumulate. */
const MAX_CONNECTIONS = 500;

export interface SiteOptions {
  /** The product token of the crawler. */
  readonly agent: string;
  /** The port of the site and, one higher, of the second origin; 0: free ports. */
  readonly port: number;
  readonly now: () => number;
  /** Called for each request. */
  readonly onRequest: () => void;
}

export interface ScenarioSite {
  /** The URL of the start page. */
  readonly url: string;
  getReport(): ScenarioReport;
  close(): Promise<void>;
}

/** Starts to listen. @throws if the port is in use. */
export async function listen(
  listener: RequestListener,
  port: number,
): Promise<Server & { readonly port: number }> {
  const server = createServer({ maxHeaderSize: 64 * 1024, headersTimeout: 30_000 }, listener);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ADDRESS, resolve);
  });
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

/** Stops to listen, and closes connections that wait for a response. */
export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Serves a scenario. */
export async function openScenario(scenario: Scenario, options: SiteOptions): Promise<ScenarioSite> {
  const { phases, pages, paths = {}, otherPaths = {} } = scenario;
  const log = new RequestLog([...pages.open, ...pages.private]);
  const note = ({ headers }: IncomingMessage): void => {
    log.addRequest(headers['user-agent'] ?? '', options.now());
    options.onRequest();
  };

  const other = await listen(
    (request, response) => {
      note(request);
      const { url = '' } = request;
      const reply = Object.hasOwn(otherPaths, url) ? otherPaths[url] : undefined;
      if (reply !== undefined) sendReply(response, reply, expand);
      else if (url === '/robots.txt') sendReply(response, { status: 404 }, expand);
      else sendPage(response, `{other}${url}`);
    },
    options.port === 0 ? 0 : options.port + 1,
  );

  const site = await listen((request, response) => {
    note(request);
    const { url = '', headers } = request;
    if (url === '/robots.txt') return sendRobots(response, headers);
    const reply = Object.hasOwn(paths, url) ? paths[url] : undefined;
    if (reply !== undefined) return sendReply(response, reply, expand);
    if (url !== '/') return sendPage(response, url);
    log.startRequests++;
    return sendStart(response);
  }, options.port).catch(async (error: unknown) => {
    await closeServer(other);
    throw error;
  });

  const origins: Readonly<Record<string, string>> = {
    agent: options.agent,
    site: `http://${ADDRESS}:${site.port}`,
    other: `http://${ADDRESS}:${other.port}`,
    localhost: `http://localhost:${other.port}`,
  };

  function expand(text: string): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => origins[name] ?? whole);
  }

  function sendRobots(response: ServerResponse, headers: IncomingMessage['headers']): void {
    const { 'if-none-match': etag, 'if-modified-since': modified } = headers;
    log.addRobotsRequest(phases.length, (etag ?? modified) !== undefined);
    const { reply } = phases[log.phase] ?? phases[0];
    const fields = 'raw' in reply ? {} : (reply.headers ?? {});
    const retryAfter = Number(fields['retry-after']);
    if (retryAfter > 0) log.waitUntil(options.now() + retryAfter * 1_000);
    const isConfirmed = etag !== undefined && etag === fields['etag'];
    sendReply(response, isConfirmed ? { ...reply, status: 304 } : reply, expand);
  }

  function sendPage(response: ServerResponse, page: string): void {
    const isKnown = log.addPageRequest(page);
    const html = { 'content-type': 'text/html; charset=utf-8' };
    sendReply(
      response,
      { status: isKnown ? 200 : 404, headers: html, body: '<title>A page</title>\n' },
      expand,
    );
  }

  /** Sends the page with links to all others. */
  function sendStart(response: ServerResponse): void {
    const links = [...log.pages.keys()].map((page) => {
      const target = page.startsWith('{') ? expand(page) : page;
      return `<li><a href="${escapeXml(target)}">${escapeXml(target)}</a></li>\n`;
    });
    const body = `<!DOCTYPE html>\n<title>${escapeXml(scenario.title)}</title>\n<ul>\n${links.join('')}</ul>\n`;
    sendReply(response, { headers: { 'content-type': 'text/html; charset=utf-8' }, body }, (text) => text);
  }

  const url = `${origins['site']}/`;
  return {
    url,
    getReport: () => judgeScenario(scenario, log, url),
    close: async () => {
      await Promise.all([site, other].map(closeServer));
    },
  };
}
