/**
 * What one request, one client and all clients together may use. Each limit has a problem of its own (problems.ts).
 *
 * A client is an IP address, or an IPv6 network of 64 bits (clients.ts). A step of work is about one comparison of a byte (work.ts).
 *
 * @module
 */

/** Limits of the service. */
export interface Limits {
  /** Of a JSON body, in bytes; a file in base64 and one as text fit in. */
  readonly bodyBytes: number;
  /** Levels of arrays and objects in JSON. */
  readonly jsonDepth: number;
  /** Of one line of a body of lines, in bytes. */
  readonly lineBytes: number;
  /** URLs in one JSON body. */
  readonly urls: number;
  /** Of one URL, in characters. */
  readonly urlChars: number;
  /** Of the name of a crawler, in characters. */
  readonly agentChars: number;
  /** Product tokens in one list. */
  readonly agents: number;
  /** Steps of work that one request may cause beyond the usual (work.ts). */
  readonly workSteps: number;
  /** Milliseconds that one task may run in a thread; then the thread is ended. */
  readonly threadTime: number;
  /** Requests that are answered at the same time; further ones are told to come again. */
  readonly requests: number;
  /** Of all JSON bodies that are being answered, together, in bytes: an answer takes a multiple of its question in memory. */
  readonly allBodyBytes: number;
  /** Robots.txt files that are fetched at the same time. */
  readonly fetches: number;
  /** Tasks of one kind that wait for a thread. */
  readonly tasks: number;
  /** Of the head of a request, in bytes. */
  readonly headBytes: number;
  /** Requests that one connection may send before their responses; then the connection is closed. Cheap ones do not count. */
  readonly connectionRequests: number;
  /** Requests of one client that are answered at the same time. */
  readonly clientRequests: number;
  /** Of all JSON bodies of one client that are being answered, in bytes. */
  readonly clientBodyBytes: number;
  /** Robots.txt files that are fetched at the same time for one client; further ones wait. */
  readonly clientFetches: number;
  /** Tasks of one client that wait for a thread or run in one. */
  readonly clientTasks: number;
  /** Bodies of lines of one client: each may come as slowly as its client likes. */
  readonly clientLineBodies: number;
  /** Requests for metrics of one client at the same time. They are none of the requests that are limited together. */
  readonly clientMetrics: number;
  /** Event streams. */
  readonly streams: number;
  /** Event streams of one client. */
  readonly clientStreams: number;
  /** Steps of work that the requests of one client may cause in a minute beyond the usual. */
  readonly clientWorkSteps: number;
  /** Milliseconds in which a body must have come, and an answer must be found. */
  readonly answerTime: number;
  /** Milliseconds in which the head of a request must have come. */
  readonly headTime: number;
  /** Milliseconds after a response in which the rest of its request must have come; then the connection is closed. */
  readonly lingerTime: number;
  /** Longer than an answer may take: milliseconds without any byte from or to a client after which its connection is closed. */
  readonly idleTime: number;
  /** Milliseconds for requests under way when the service is stopped. */
  readonly stopTime: number;
}

export const LIMITS: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  jsonDepth: 16,
  lineBytes: 128 * 1024,
  urls: 100_000,
  urlChars: 64 * 1024,
  agentChars: 1_000,
  agents: 100,
  workSteps: 2e9,
  threadTime: 20_000,
  requests: 1_000,
  allBodyBytes: 48 * 1024 * 1024,
  fetches: 256,
  tasks: 64,
  headBytes: 16 * 1024,
  connectionRequests: 100,
  clientRequests: 500,
  clientBodyBytes: 24 * 1024 * 1024,
  clientFetches: 64,
  clientTasks: 16,
  clientLineBodies: 100,
  clientMetrics: 10,
  streams: 100,
  clientStreams: 20,
  clientWorkSteps: 8e9,
  answerTime: 45_000,
  headTime: 20_000,
  lingerTime: 5_000,
  idleTime: 60_000,
  stopTime: 10_000,
};
