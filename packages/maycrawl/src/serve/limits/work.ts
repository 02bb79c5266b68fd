// The work of one request: its client, its deadline, and how many steps it may use.
//
// Work is counted in steps, not in time, so that a request has the same result on a fast and on a busy machine. A step is about
// one comparison of a byte. The first {@link FREE_STEPS} of each decision are free. What counts is what a decision needs beyond
// them: compiling the rules of a large file, or matching a long URL against many rules with wildcards.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCloseSignal, createDeadlineSignal } from '../http/deadline.ts';
import { Problem } from '../http/problems.ts';
import type { Client, Clients } from './clients.ts';
import type { Limits } from './limits.ts';

/** Steps of one decision that do not count: a URL of 250 characters against a thousand rules with wildcards. */
export const FREE_STEPS = 250_000;
/** Steps to compile the rules of one byte of a file. */
const COMPILE_STEPS = 64;
/** Steps to report one byte of a file: base64, and JSON of its history. */
const REPORT_STEPS = 16;

/** Returns an upper bound of the steps that compiling the rules for one crawler takes. */
export function getCompileSteps(fileBytes: number): number {
  return fileBytes * COMPILE_STEPS;
}

/** Returns the steps that a report with a file in base64 takes. */
export function getReportSteps(fileBytes: number): number {
  return fileBytes * REPORT_STEPS;
}

/** The work of one request. */
export class Work {
  readonly client: Client;
  /** Aborts when the client closes the connection, or at the deadline. */
  readonly signal: AbortSignal;
  readonly #limit: number;
  #steps = 0;

  constructor(client: Client, signal: AbortSignal, { workSteps }: Pick<Limits, 'workSteps'>) {
    this.client = client;
    this.signal = signal;
    this.#limit = workSteps;
  }

  /** Counted steps so far, without free ones. */
  get steps(): number {
    return this.#steps;
  }

  /** Counts the steps of a decision beyond the free ones. */
  addDecision(steps: number): void {
    if (steps <= FREE_STEPS) return;
    this.#steps += steps - FREE_STEPS;
    this.client.addWork(steps - FREE_STEPS);
  }

  /**
   * Requires that a decision may use more than the free steps.
   *
   * @throws {Problem} `too-much-work` if the request has used up its work, `rate-limited` if its client has.
   */
  require(steps: number): void {
    if (steps <= FREE_STEPS) return;
    if (this.#steps >= this.#limit)
      throw new Problem(
        'too-much-work',
        'the rules of these sites need more work than one request may use: send fewer or shorter URLs, or fewer crawlers',
      );
    this.client.requireWork();
  }
}

interface WorkContext {
  readonly clients: Clients;
  readonly limits: Limits;
}

/** Starts the work of a request that must have its response within `responseTime`. */
export function startWork(
  request: FastifyRequest,
  reply: FastifyReply,
  { clients, limits }: WorkContext,
): Work {
  return new Work(clients.get(request.ip), createDeadlineSignal(reply, limits.responseTime), limits);
}

/** Starts the work of a request whose response is streamed, until its client closes the connection. */
export function startStreamedWork(
  request: FastifyRequest,
  reply: FastifyReply,
  { clients, limits }: WorkContext,
): Work {
  return new Work(clients.get(request.ip), createCloseSignal(reply), limits);
}
