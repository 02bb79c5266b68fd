// The server of all sites, at loopback addresses. It writes a line for each request into a file immediately, so that none is missing
// when it is killed:
//   R time site requester outcome   a request for robots.txt arrived, and how the server responds
//   D time site requester outcome   the response was sent (a redirect: that of its target)
//   P time site requester path      a request for a page arrived
// The requester is the comment of the User-Agent header.
import { openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { getFile, getHost, getSite, getSiteKind, getTemplate, isFailing } from './sites.mjs';

const { log, count, port } = JSON.parse(process.argv[2]);
const output = openSync(log, 'a');
/** Milliseconds until slow sites respond. */
const [SLOW, VERY_SLOW] = [1_000, 2_500];
/** Seconds for which the responses of some kinds are fresh. */
const LIFETIMES = { 'short-lived': 600, changing: 60, 'sometimes-unavailable': 60, limiting: 60 };
/** The `Retry-After` of a site that limits the rate. Seconds. */
const RETRY_AFTER = 20;

function write(type, site, requester, text) {
  writeSync(output, `${type} ${Date.now()} ${site} ${requester} ${text}\n`);
}

/** Sends the file of a site, or that it is still the same. */
function sendFile({ request, response, site, kind, done }) {
  const template = getTemplate(site, kind, Date.now());
  const lifetime = LIFETIMES[kind];
  if (lifetime !== undefined) response.setHeader('cache-control', `max-age=${lifetime}`);
  const outcome = `ok:${template}:${lifetime ?? ''}`;
  response.setHeader('etag', `"${template}"`);
  done(outcome);
  if (request.headers['if-none-match'] === `"${template}"`) response.writeHead(304).end();
  else response.setHeader('content-type', 'text/plain').end(getFile(template));
  return outcome;
}

function sendStatus({ response, done }, status, headers = {}) {
  const outcome = `${status}:${headers['retry-after'] ?? ''}`;
  done(outcome);
  response.writeHead(status, headers).end();
  return outcome;
}

const redirect = ({ response }, location) => {
  response.writeHead(301, { location }).end();
  return 'redirect:';
};

/** How each kind of sites that is not `plain` responds. Each returns its outcome. */
const RESPONDERS = {
  missing: (exchange) => sendStatus(exchange, 404),
  unavailable: (exchange) => sendStatus(exchange, 503),
  'sometimes-unavailable': (exchange) =>
    isFailing(exchange.site, Date.now()) ? sendStatus(exchange, 503) : sendFile(exchange),
  limiting: (exchange) =>
    isFailing(exchange.site, Date.now())
      ? sendStatus(exchange, 429, { 'retry-after': RETRY_AFTER })
      : sendFile(exchange),
  slow: (exchange) => {
    setTimeout(() => sendFile(exchange), SLOW);
    return 'slow:';
  },
  'very-slow': (exchange) => {
    setTimeout(() => sendFile(exchange), VERY_SLOW);
    return 'slow:';
  },
  hanging: () => 'hanging:',
  resetting: ({ request }) => {
    request.socket.resetAndDestroy();
    return 'reset:';
  },
  incomplete: ({ request, response }) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('User-agent: *\nAllow: /\n');
    setTimeout(() => request.socket.destroy(), 20);
    return 'incomplete:';
  },
  redirecting: (exchange) => redirect(exchange, `/moved/${exchange.site}/robots.txt`),
  'redirecting-to-another': (exchange) =>
    redirect(exchange, `http://${getHost(exchange.site ^ 1, port)}/moved/${exchange.site}/robots.txt`),
  'redirecting-endlessly': (exchange) => {
    exchange.done('loop:');
    redirect(exchange, '/moved/loop/robots.txt');
    return 'redirect:';
  },
};

const server = createServer((request, response) => {
  const requester = /\(([\w-]+)\)/.exec(request.headers['user-agent'] ?? '')?.[1] ?? 'unknown';
  const [, moved] = /^\/moved\/(\w+)\/robots\.txt$/.exec(request.url) ?? [];
  if (moved === 'loop') {
    redirect({ response }, '/moved/loop/robots.txt');
    return;
  }
  const site = moved === undefined ? getSite(request.headers.host) : Number(moved);
  if (request.url !== '/robots.txt' && moved === undefined) {
    write('P', site, requester, request.url);
    response.end('<p>A page.\n');
    return;
  }
  const kind = getSiteKind(site, count);
  const done = (outcome) => response.once('finish', () => write('D', site, requester, outcome));
  const exchange = { request, response, site, kind, done };
  if (moved !== undefined) sendFile(exchange);
  else write('R', site, requester, (RESPONDERS[kind] ?? sendFile)(exchange));
});
// Node cannot listen at the loopback network alone.
server.on('connection', (socket) => {
  if (!socket.localAddress?.startsWith('127.')) socket.destroy();
});
process.on('disconnect', () => process.exit());
server.listen(port, '0.0.0.0', 4096, () => process.send('ready'));
