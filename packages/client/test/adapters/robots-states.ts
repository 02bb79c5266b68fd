// Twelve states of a robots.txt, most of which change, and what they mean for pages.
import type { RequestListener, ServerResponse } from 'node:http';

/** The robots.txt of the states that have one. */
export const FILE = 'User-agent: *\nDisallow: /private\n';

/** One state of a robots.txt. */
export interface RobotsState {
  readonly name: string;
  /** Responds to the first, second, ... request for the robots.txt. The last one responds to all further ones. */
  readonly responses: readonly ((response: ServerResponse, path: string) => void)[];
  /** Whether `/private` is forbidden in the end. */
  readonly forbids: boolean;
}

const fine = (response: ServerResponse): void => void response.end(FILE);
const fail =
  (status: number, headers = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end('an error');

export const ROBOTS_STATES: readonly RobotsState[] = [
  { name: 'a file', responses: [fine], forbids: true },
  { name: 'no file (404)', responses: [fail(404)], forbids: false },
  { name: 'no permission (403)', responses: [fail(403)], forbids: false },
  { name: '503, then a file', responses: [fail(503), fine], forbids: true },
  { name: '500 twice, then a file', responses: [fail(500), fail(500), fine], forbids: true },
  {
    name: '429 with Retry-After, then a file',
    responses: [fail(429, { 'retry-after': '120' }), fine],
    forbids: true,
  },
  { name: 'no response in time, then a file', responses: [() => {}, fine], forbids: true },
  {
    name: 'a truncated body, then a file',
    responses: [
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('User-agent: *\n');
        setImmediate(() => response.destroy());
      },
      fine,
    ],
    forbids: true,
  },
  {
    name: 'a closed connection, then a file',
    responses: [(response) => void response.destroy(), fine],
    forbids: true,
  },
  {
    name: 'a redirect to a file',
    responses: [
      (response, path) =>
        path === '/robots.txt'
          ? void response.writeHead(301, { location: '/rules.txt' }).end()
          : fine(response),
    ],
    forbids: true,
  },
  { name: 'a redirect to itself', responses: [fail(302, { location: '/robots.txt' })], forbids: false },
  {
    name: 'an HTML page',
    responses: [(response) => void response.setHeader('content-type', 'text/html').end('<p>Welcome</p>')],
    forbids: false,
  },
];

/** Responds to requests for the robots.txt of a state, and for pages. */
export function createListener({ responses }: RobotsState, onPage: (path: string) => void): RequestListener {
  let count = 0;
  return (request, response) => {
    const path = request.url ?? '';
    if (path === '/robots.txt' || path === '/rules.txt') {
      const respond = responses[Math.min(count, responses.length - 1)];
      count++;
      respond?.(response, path);
      return;
    }
    onPage(path);
    response.setHeader('content-type', 'text/html').end('<p>a page</p>');
  };
}
