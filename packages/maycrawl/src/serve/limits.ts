/**
 * What a request may take. Each limit has a problem of its own (problems.ts).
 *
 * @module
 */

/** Limits of the service. */
export interface Limits {
  /** Of a JSON body, in bytes; a file in base64 and one as text fit in. */
  readonly bodyBytes: number;
  /** Of one line of a body of lines, in bytes. */
  readonly lineBytes: number;
  /** URLs in one JSON body. */
  readonly urls: number;
  /** Of one URL, in characters. */
  readonly urlChars: number;
  /** Of the name of a crawler, in characters. */
  readonly agentChars: number;
  /** Requests that are answered at the same time; further ones are told to come again. */
  readonly requests: number;
  /** Of all JSON bodies that are being answered, together, in bytes: an answer takes a multiple of its question in memory. */
  readonly allBodyBytes: number;
  /** Robots.txt files that are fetched at the same time. */
  readonly fetches: number;
  /** Milliseconds in which a body must have come, and an answer must be found. */
  readonly answerTime: number;
  /** Longer than an answer may take: milliseconds without any byte from or to a client after which its connection is closed. */
  readonly idleTime: number;
  /** Milliseconds for requests under way when the service is stopped. */
  readonly stopTime: number;
}

export const LIMITS: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  lineBytes: 128 * 1024,
  urls: 100_000,
  urlChars: 64 * 1024,
  agentChars: 1_000,
  requests: 1_000,
  allBodyBytes: 48 * 1024 * 1024,
  fetches: 256,
  answerTime: 45_000,
  idleTime: 60_000,
  stopTime: 10_000,
};
