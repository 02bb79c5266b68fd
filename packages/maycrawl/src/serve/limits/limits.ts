/**
 * What one request, one client and all clients together may use. Each limit has its own problem code (problems.ts).
 *
 * A client is an IPv4 address or a /64 network of IPv6 (client-key.ts). A step of work is about one comparison of a byte (work.ts).
 *
 * @module
 */

/** Limits of the service. Times are milliseconds, sizes are bytes. */
export interface Limits {
  /** Size of a JSON body. A file in base64 and one as text fit in. */
  readonly bodyBytes: number;
  /** Levels of arrays and objects in JSON. */
  readonly jsonDepth: number;
  /** Size of one line of an NDJSON body. */
  readonly lineBytes: number;
  /** Invalid and refused lines of one NDJSON body, if they are more than half of it; then the rest has no answers. */
  readonly invalidLines: number;
  /** URLs in one JSON body. */
  readonly urls: number;
  /** Characters of one URL. */
  readonly urlChars: number;
  /** Characters of the URL of a page that is requested, or whose preferences are read. */
  readonly pageUrlChars: number;
  /** Characters of the name of a crawler, and of all product tokens in one list together. */
  readonly agentChars: number;
  /** Product tokens in one list. */
  readonly agents: number;
  /** Steps of work of one request, without the free steps of each decision (work.ts). */
  readonly workSteps: number;
  /** Time of one task in a thread; then the thread is terminated. */
  readonly threadTime: number;
  /** Open connections. */
  readonly connections: number;
  /** Concurrent requests; further ones are refused with `Retry-After`. */
  readonly requests: number;
  /** Size of all JSON bodies of requests in flight: a response takes a multiple of its request in memory. */
  readonly allBodyBytes: number;
  /** Concurrent fetches of robots.txt files. */
  readonly fetches: number;
  /** Time between two requests for pages or sitemaps of one host. */
  readonly hostSpacing: number;
  /** Requests for pages or sitemaps that wait for one host. */
  readonly hostRequests: number;
  /** Concurrent checks of pages and samples of sitemaps. Each has a page of 5 MB in memory, a few times. */
  readonly pages: number;
  /** Tasks of one kind that wait for a thread. */
  readonly tasks: number;
  /** Size of the head of a request. */
  readonly headBytes: number;
  /**
   * Pipelined requests of one connection without a response; then the connection is closed. Requests that are answered
   * without the framework do not count.
   */
  readonly connectionRequests: number;
  /** Open connections of one client. */
  readonly clientConnections: number;
  /** Concurrent requests of one client. */
  readonly clientRequests: number;
  /** Size of all JSON bodies of requests in flight of one client. */
  readonly clientBodyBytes: number;
  /** Concurrent fetches of robots.txt files for one client; further ones wait. */
  readonly clientFetches: number;
  /** Tasks of one client that wait for a thread or run in one. */
  readonly clientTasks: number;
  /** Concurrent checks of pages and samples of sitemaps of one client: each sends requests to sites. */
  readonly clientPages: number;
  /** Concurrent NDJSON bodies of one client: they have no deadline. */
  readonly clientLineBodies: number;
  /** Concurrent requests of one client for metrics, which do not count as `requests`. */
  readonly clientMetrics: number;
  /** Event streams. */
  readonly streams: number;
  /** Event streams of one client. */
  readonly clientStreams: number;
  /** Steps of work of one client in a minute, without the free steps of each decision. */
  readonly clientWorkSteps: number;
  /** How many times the rate limit and the work of one client the clients of one /48 network of IPv6 have together. */
  readonly siteClients: number;
  /** Time to receive a body, and to find the answer. */
  readonly answerTime: number;
  /** Time to read sitemaps for one sample. */
  readonly sampleTime: number;
  /** Time to receive the head of a request. */
  readonly headTime: number;
  /** Time without a byte of the rest of a request that already has its response; then the connection is closed. */
  readonly lingerTime: number;
  /** Size of the rest of a request that already has its response: it is read and discarded, for `answerTime` at most. */
  readonly restBytes: number;
  /** Time without any byte from or to a client; then its connection is closed. Longer than `answerTime`. */
  readonly idleTime: number;
  /** Time for requests in flight at shutdown. */
  readonly stopTime: number;
}

/** The default limits. */
export const LIMITS: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  jsonDepth: 16,
  lineBytes: 128 * 1024,
  invalidLines: 10_000,
  urls: 100_000,
  urlChars: 64 * 1024,
  pageUrlChars: 8_192,
  agentChars: 1_000,
  agents: 100,
  workSteps: 2e9,
  threadTime: 20_000,
  connections: 24_000,
  requests: 1_000,
  allBodyBytes: 48 * 1024 * 1024,
  fetches: 256,
  hostSpacing: 250,
  hostRequests: 64,
  pages: 32,
  tasks: 64,
  headBytes: 16 * 1024,
  connectionRequests: 32,
  clientConnections: 12_000,
  clientRequests: 500,
  clientBodyBytes: 24 * 1024 * 1024,
  clientFetches: 64,
  clientTasks: 16,
  clientPages: 8,
  clientLineBodies: 100,
  clientMetrics: 10,
  streams: 100,
  clientStreams: 20,
  clientWorkSteps: 8e9,
  siteClients: 16,
  answerTime: 45_000,
  sampleTime: 10_000,
  headTime: 20_000,
  lingerTime: 5_000,
  restBytes: 64 * 1024 * 1024,
  idleTime: 60_000,
  stopTime: 10_000,
};
