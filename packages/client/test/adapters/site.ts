import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import { serve, type TestServer } from '../support/server.ts';

export interface Site extends TestServer {
  /** The requests other than those for robots.txt. */
  readonly received: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
}

const FILE = 'User-agent: *\nDisallow: /private\n';
const PAGE = '<title>A page</title><a href="/private/link">no</a> <a href="/link">yes</a>';

/**
 * A site that fails with `/status/<status>` and Retry-After, and redirects from `/redirect/<status>?<where>` to there from `/count/3` to `/count/2` and so on; `/html` has the
 * HTML of its query; elsewhere there are pages. Its robots.txt forbids `/private`, unless `robots` answers for it.
 */
export async function startSite(robots?: RequestListener): Promise<Site> {
  const received: Site['received'] = [];
  const server = await serve(async (request, response) => {
    const { method = '', url = '', headers } = request;
    if (url === '/robots.txt') return robots === undefined ? response.end(FILE) : robots(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const [, failure] = /^\/status\/(\d+)/.exec(url) ?? [];
    if (failure !== undefined)
      return response.writeHead(Number(failure), { 'retry-after': '600' }).end('try again later');
    if (url.startsWith('/html?'))
      return response.setHeader('content-type', 'text/html').end(decodeURIComponent(url.slice(6)));
    const [, status, where] = /^\/redirect\/(\d+)(?:\?(.*))?/.exec(url) ?? [];
    const [, count] = /^\/count\/([1-9]\d*)/.exec(url) ?? [];
    if (count !== undefined)
      return response.writeHead(302, { location: `/count/${Number(count) - 1}` }).end();
    if (status === undefined) return response.setHeader('content-type', 'text/html').end(PAGE);
    const location = where === undefined ? {} : { location: decodeURIComponent(where) };
    return response.writeHead(Number(status), location).end('moved');
  });
  return { ...server, received };
}

/** Path of a page of such a site that redirects. */
export function redirectTo(where: string, status = 302): string {
  return `/redirect/${status}?${encodeURIComponent(where)}`;
}

/** Path of a page of such a site with some HTML. */
export function showHtml(html: string): string {
  return `/html?${encodeURIComponent(html)}`;
}

/** Returns the requested paths of a site in order, without its robots.txt. */
export function pathsOf({ received }: Site): string[] {
  return received.map(({ url }) => url);
}

export function newClient(options: Partial<ClientOptions> = {}): RobotsClient {
  // The sites of a test redirect to each other.
  return new RobotsClient({
    agent: 'TestBot',
    userAgent: 'TestBot/1.0',
    allowPrivateAddresses: true,
    ...options,
  });
}
