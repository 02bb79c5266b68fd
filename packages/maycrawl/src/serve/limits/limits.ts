// What one request, one client and all clients together may use. Each limit has its own problem code (problems.ts).
//
// A client is an IPv4 address or a /64 network of IPv6 (client-key.ts).

import { freezeDeep } from '@maycrawl/core/internal';

/** The default limits of the service. Times are milliseconds, sizes are bytes. */
export const LIMITS = {
  /** Size of a JSON body. A file in base64 and one as text fit in. */
  bodyBytes: (8 * 1024 * 1024) as number,
  /** Levels of arrays and objects in JSON. */
  jsonDepth: 16,
  /** Size of one line of an NDJSON body. */
  lineBytes: (128 * 1024) as number,
  /** Invalid and refused lines of one NDJSON body, if they are more than half of it; then the rest has no decisions. */
  invalidLines: 10_000,
  /** URLs in one JSON body. */
  urls: 100_000,
  urlChars: (64 * 1024) as number,
  /** Characters of the URL of a page that is requested, or whose preferences are read. */
  pageUrlChars: 8_192,
  /** Characters of the name of a crawler, and of all product tokens in one list together. */
  agentChars: 1_000,
  /** Product tokens in one list. */
  agents: 100,
  /** Time of one task in a thread; then the thread is terminated. */
  threadTime: 20_000,
  connections: 24_000,
  /** Concurrent requests; further ones are refused with `Retry-After`. */
  requests: 1_000,
  /** Size of all JSON bodies of requests in flight: a response takes a multiple of its request in memory. */
  allBodyBytes: (48 * 1024 * 1024) as number,
  /** Concurrent fetches of robots.txt files. */
  fetches: 256,
  /** Time between two requests for pages or sitemaps of one host. */
  hostSpacing: 250,
  /** Requests for pages or sitemaps that wait for one host. */
  hostRequests: 64,
  /** Concurrent checks of pages and samples of sitemaps. Each has a page of 5 MB in memory, a few times. */
  pages: 32,
  /** Tasks of one kind that wait for a thread. Each is a request in flight. */
  tasks: 500,
  /** Size of the head of a request. */
  headBytes: (16 * 1024) as number,
  /**
   * Pipelined requests of one connection without a response; then the connection is closed. Requests that are refused
   * without the framework do not count.
   */
  connectionRequests: 32,
  clientConnections: 12_000,
  /** Concurrent requests of one client. */
  clientRequests: 500 as number,
  /** Size of all JSON bodies of requests in flight of one client. */
  clientBodyBytes: (24 * 1024 * 1024) as number,
  /** Concurrent fetches of robots.txt files for one client; further ones wait. */
  clientFetches: 64 as number,
  /** Concurrent checks of pages and samples of sitemaps of one client: each sends requests to sites. */
  clientPages: 8,
  /** Concurrent NDJSON bodies of one client: they have no deadline. */
  clientLineBodies: 100,
  /** Concurrent requests of one client for metrics, which do not count as `requests`. */
  clientMetrics: 10,
  streams: 100,
  /** Event streams of one client. */
  clientStreams: 20,
  /** Time in a minute for expensive computations of one client (work.ts). */
  clientWorkTime: 20_000 as number,
  /** How many times the rate limit and the work of one client the clients of one /48 network of IPv6 have together. */
  siteClients: 16,
  /** Time to receive a body, and to create the response. */
  responseTime: 45_000,
  /** Time to read sitemaps for one sample. */
  sampleTime: 10_000,
  /** Time to receive the head of a request. */
  headTime: 20_000,
  /** Time without a byte of the rest of a request that already has its response; then the connection is closed. */
  lingerTime: 5_000,
  /** Size of the rest of a request that already has its response: it is read and discarded, for `responseTime` at most. */
  restBytes: (64 * 1024 * 1024) as number,
  /** Time without any byte from or to a client; then its connection is closed. Longer than `responseTime`. */
  idleTime: 60_000,
  /** Time for requests in flight at shutdown. */
  stopTime: 10_000,
};
freezeDeep(LIMITS);

/** Limits of the service, as {@link LIMITS} describes them. */
export type Limits = Readonly<typeof LIMITS>;
