// Reads JSON bodies. Bytes count against the limits when they arrive, not when `Content-Length` announces them: a client that
// announces a large body and does not send it uses nothing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ByteCollector, readBody } from '../http/body.ts';
import { createClientGoneProblem, startBodyTimer } from '../http/deadline.ts';
import { JsonShape } from '../http/json-shape.ts';
import { Problem } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';

/** Values in a body besides a list of URLs. */
const MORE_VALUES = 10_000;

/** Adds the parser of `application/json` bodies. */
export function addJsonBodies(app: FastifyInstance, limits: Limits, clients: Clients): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  /** The response to each request: when it closes, the bytes of the body are released. */
  const responses = new WeakMap<FastifyRequest, ServerResponse>();
  let allBytes = 0;

  const read = async (request: FastifyRequest, payload: IncomingMessage): Promise<string> => {
    const client = clients.get(request.ip);
    const shape = new JsonShape({ depth: limits.jsonDepth, values: limits.urls + MORE_VALUES });
    const bytes = new ByteCollector();
    const share = client.open('bodyBytes');
    let isClosed = false;
    responses.get(request)?.once('close', () => {
      isClosed = true;
      allBytes -= bytes.length;
      share.release();
    });
    if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes)
      throw createTooLargeProblem(limits);
    for await (const chunk of readBody(payload)) {
      if (isClosed) throw createClientGoneProblem();
      if (allBytes + chunk.length > limits.allBodyBytes)
        throw new Problem('overloaded', 'the bodies of all requests in flight are too large', {
          'retry-after': '1',
        });
      share.add(chunk.length);
      allBytes += chunk.length;
      bytes.add(chunk);
      if (bytes.length > limits.bodyBytes) throw createTooLargeProblem(limits);
      shape.add(chunk);
    }
    // Replacement characters would be another URL, or another rule.
    const text = bytes.decode();
    if (text === undefined) throw new Problem('invalid-json', 'the body is not UTF-8');
    return text;
  };

  app.addHook('preParsing', (request, reply, payload, done) => {
    if (request.headers['content-type'] !== undefined) responses.set(request, reply.raw);
    done(null, payload);
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    // For every route and method.
    const stopTimer = startBodyTimer(request, limits.responseTime);
    read(request, payload).then(
      (text) => {
        stopTimer();
        parse(request, text, done);
      },
      (error: Error) => {
        stopTimer();
        // Other errors are those of the connection, which ended within the body.
        done(
          error instanceof Problem
            ? error
            : new Problem('client-gone', 'the connection ended before the body did'),
        );
      },
    );
  });
}

function createTooLargeProblem({ bodyBytes }: Limits): Problem {
  return new Problem('body-too-large', `a JSON body has at most ${bodyBytes} bytes`);
}
