/**
 * Reads JSON bodies. Bytes count against the limits as they arrive, not as they are announced: a client that announces much and
 * sends nothing takes nothing from the others.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ByteCollector, readBody } from '../http/body.ts';
import { awaitBody } from '../http/deadline.ts';
import { JsonShape } from '../http/json-shape.ts';
import { Problem } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';

/** Further values in a body beside a list of URLs. */
const MORE_VALUES = 10_000;

/** Reads bodies of the type application/json. */
export function addJsonBodies(app: FastifyInstance, limits: Limits, clients: Clients): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  /** The response to each request that is being read: its end frees the bytes of the body. */
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
    if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits);
    for await (const chunk of readBody(payload)) {
      if (isClosed) throw new Problem('client-gone', 'the client has gone');
      if (allBytes + chunk.length > limits.allBodyBytes)
        throw new Problem('overloaded', 'many large bodies are being answered', { 'retry-after': '1' });
      share.add(chunk.length);
      allBytes += chunk.length;
      bytes.add(chunk);
      if (bytes.length > limits.bodyBytes) throw tooLarge(limits);
      shape.add(chunk);
    }
    return bytes.toString();
  };

  app.addHook('preParsing', (request, reply, payload, done) => {
    responses.set(request, reply.raw);
    done(null, payload);
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', (request, payload, done) => {
    // Whatever the route and the method: no body may take longer.
    const endWait = awaitBody(request, limits.answerTime);
    read(request, payload).then(
      (text) => {
        endWait();
        parse(request, text, done);
      },
      (error: Error) => {
        endWait();
        // The client may read the response only when it has sent its body.
        payload.resume();
        // A connection that ends within a body is no fault of the service.
        done(error instanceof Problem ? error : new Problem('client-gone', 'the body ends too early'));
      },
    );
  });
}

function tooLarge({ bodyBytes }: Limits): Problem {
  return new Problem('body-too-large', `a JSON body has at most ${bodyBytes} bytes`);
}
