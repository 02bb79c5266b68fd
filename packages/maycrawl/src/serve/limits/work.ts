/**
 * The work of one request: for whom it is done, until when, and how much of it there may be.
 *
 * Work is counted in steps, not in time, so that the same request always has the same answer. A step is about one comparison of a
 * byte. What is usual for a decision is free; only what a decision needs beyond that counts: rules that are compiled from a large
 * file, long URLs against many rules with stars.
 *
 * @module
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getGoneSignal, patienceFor } from '../http/deadline.ts';
import { Problem } from '../http/problems.ts';
import type { Client, Clients } from './clients.ts';
import type { Limits } from './limits.ts';

/** Steps of one decision that do not count: a URL of 250 characters against a thousand rules with stars. */
export const FREE_STEPS = 250_000;
/** Steps that it takes to compile the rules of one byte of a file. */
const COMPILE_STEPS = 64;

/** Steps that it takes at most to compile the rules for one crawler. */
export function getCompileSteps(fileBytes: number): number {
  return fileBytes * COMPILE_STEPS;
}

/** The work of one request. */
export class Work {
  readonly client: Client;
  /** Aborts when the client is gone, or the time for the answer has passed. */
  readonly signal: AbortSignal;
  readonly #limit: number;
  #steps = 0;

  constructor(client: Client, signal: AbortSignal, { workSteps }: Pick<Limits, 'workSteps'>) {
    this.client = client;
    this.signal = signal;
    this.#limit = workSteps;
  }

  /** Steps beyond the usual so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Counts the steps of a decision, as far as they are more than usual. */
  addDecision(steps: number): void {
    if (steps <= FREE_STEPS) return;
    this.#steps += steps - FREE_STEPS;
    this.client.addWork(steps - FREE_STEPS);
  }

  /**
   * Refuses a decision that needs more than usual.
   *
   * @throws {Problem} if the request, or its client, has caused as much work as it may.
   */
  require(steps: number): void {
    if (steps <= FREE_STEPS) return;
    if (this.#steps >= this.#limit)
      throw new Problem(
        'too-much-work',
        'the rules of these sites need more work than one request may cause: send fewer or shorter URLs, or fewer crawlers',
      );
    this.client.requireWork();
  }
}

/** Makes the work of a request that is answered as a whole, in time. */
export function startWork(
  request: FastifyRequest,
  reply: FastifyReply,
  { clients, limits }: { readonly clients: Clients; readonly limits: Limits },
): Work {
  return new Work(clients.get(request.ip), patienceFor(reply, limits.answerTime), limits);
}

/** The same for a request that is answered piece by piece, as long as its client takes them. */
export function startStreamedWork(
  request: FastifyRequest,
  reply: FastifyReply,
  { clients, limits }: { readonly clients: Clients; readonly limits: Limits },
): Work {
  return new Work(clients.get(request.ip), getGoneSignal(reply), limits);
}
