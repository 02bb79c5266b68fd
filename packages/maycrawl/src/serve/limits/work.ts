// The work of one request: its client, its deadline, and what it computes.
//
// Steps, of about one comparison of a byte each, estimate a computation before it runs. One of at most {@link FREE_STEPS} steps is
// free. The others count by the time that they take, in the minute of their client: compiling the rules of a large file, or matching
// a long URL against many rules with wildcards. An estimate would count up to a hundred times too much.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCloseSignal, createDeadlineSignal } from '../http/deadline.ts';
import type { Client, Clients } from './clients.ts';
import type { Limits } from './limits.ts';

/** Steps of a computation that does not count: a URL of 250 characters against a thousand rules with wildcards. */
export const FREE_STEPS = 250_000;
/** Steps to compile the rules of one byte of a file. */
const COMPILE_STEPS = 64;
/** Steps to report one byte of a file: base64, and JSON of its history. */
const REPORT_STEPS = 16;

/** Estimates the steps that compiling the rules for one crawler takes. */
export function getCompileSteps(fileBytes: number): number {
  return fileBytes * COMPILE_STEPS;
}

/** Estimates the steps that a report with a file in base64 takes. */
export function getReportSteps(fileBytes: number): number {
  return fileBytes * REPORT_STEPS;
}

/** The work of one request. */
export class Work {
  readonly client: Client;
  /** Aborts when the client closes the connection, or at the deadline. */
  readonly signal: AbortSignal;

  constructor(client: Client, signal: AbortSignal) {
    this.client = client;
    this.signal = signal;
  }

  /**
   * Runs a computation. Its time counts if it may need more than the free steps.
   *
   * @param steps - an estimate.
   * @throws {Problem} `rate-limited` if it may need more, and the client has used up its time.
   */
  run<T>(steps: number, compute: () => T): T {
    return steps <= FREE_STEPS ? compute() : this.client.compute(compute);
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
  return new Work(clients.get(request.ip), createDeadlineSignal(reply, limits.responseTime));
}

/** Starts the work of a request whose response is streamed, until its client closes the connection. */
export function startStreamedWork(
  request: FastifyRequest,
  reply: FastifyReply,
  { clients }: Pick<WorkContext, 'clients'>,
): Work {
  return new Work(clients.get(request.ip), createCloseSignal(reply));
}
