// Abort signals and timers of a request: deadlines, and clients that close the connection.
import { setMaxListeners } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatDuration } from '../../text/durations.ts';
import { Problem } from './problems.ts';

/** Creates a signal that aborts when the client closes the connection, or after a time, each with a problem as its reason. */
export function createDeadlineSignal({ raw }: FastifyReply, milliseconds: number): AbortSignal {
  const controller = createController();
  const timer = setTimeout(
    () =>
      controller.abort(
        new Problem('timeout', `there was no response within ${formatDuration(milliseconds)}`),
      ),
    milliseconds,
  );
  raw.once('close', () => {
    clearTimeout(timer);
    controller.abort(createClientGoneProblem());
  });
  return controller.signal;
}

/** Creates a signal that aborts when the client closes the connection. For streamed responses, which have no deadline. */
export function createCloseSignal({ raw }: FastifyReply): AbortSignal {
  const controller = createController();
  raw.once('close', () => controller.abort(createClientGoneProblem()));
  return controller.signal;
}

/** A request for many URLs has many listeners, of which Node would warn. */
function createController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

export function createClientGoneProblem(): Problem {
  return new Problem('client-gone', 'the client closed the connection');
}

/** Destroys a request whose body does not arrive in time. @returns a function that stops the timer. */
export function startBodyTimer({ raw }: FastifyRequest, milliseconds: number): () => void {
  const timer = setTimeout(() => raw.destroy(), milliseconds);
  raw.once('close', () => clearTimeout(timer));
  return () => clearTimeout(timer);
}
