/**
 * How long a request may take, and whether anybody still waits for its answer.
 *
 * @module
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';

/** Aborts when the time for an answer has passed, with a problem, or when the client has gone. */
export function patienceFor({ raw }: FastifyReply, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const seconds = milliseconds / 1000;
  const timer = setTimeout(
    () => controller.abort(new Problem('timeout', `there was no answer within ${seconds} seconds`)),
    milliseconds,
  );
  raw.once('close', () => {
    clearTimeout(timer);
    controller.abort(new Problem('client-gone', 'the client has gone'));
  });
  return controller.signal;
}

/** The same, as long as something goes on: for answers that are given piece by piece. */
export function getGoneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort(new Problem('client-gone', 'the client has gone')));
  return controller.signal;
}

/** Ends the connection of a client whose body does not come in time. @returns what ends the waiting. */
export function awaitBody({ raw }: FastifyRequest, milliseconds: number): () => void {
  const timer = setTimeout(() => raw.destroy(), milliseconds);
  raw.once('close', () => clearTimeout(timer));
  return () => clearTimeout(timer);
}
