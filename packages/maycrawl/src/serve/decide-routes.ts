/**
 * `/v1/decide`: may a crawler fetch these URLs?
 *
 * @module
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { answerLines } from './lines.ts';
import { goneSignalOf, patienceFor } from './patience.ts';
import { Problem } from './problems.ts';
import { profileNamed } from './profile-name.ts';
import * as schemas from './schemas.ts';

interface DecideQuery {
  readonly url: string;
  readonly agent: string;
  readonly profile: string;
}

interface DecideBody {
  readonly agent: string;
  readonly profile?: string;
  readonly urls: readonly string[];
}

/** The media type of lines of JSON. */
const LINES = 'application/x-ndjson';

export function addDecideRoutes(api: FastifyInstance, { decider, limits }: Context): void {
  const checkUrl = (url: string): string => {
    if (url.length <= limits.urlChars) return url;
    throw new Problem('url-too-long', `a URL has at most ${limits.urlChars} characters`);
  };
  const checkAgent = (agent: string): string => {
    if (agent.length <= limits.agentChars) return agent;
    throw new Problem('invalid-request', `the name of a crawler has at most ${limits.agentChars} characters`);
  };

  api.get<{ Querystring: DecideQuery }>(
    '/v1/decide',
    {
      schema: {
        operationId: 'decide',
        summary: 'Decide about one URL',
        querystring: schemas.decideQuery,
        response: { 200: schemas.decision, ...schemas.failures },
      },
    },
    // Most questions are answered at once, without a promise.
    ({ query: { url, agent, profile: name } }, reply) => {
      const question = { url: checkUrl(url), agent: checkAgent(agent) };
      const profile = profileNamed(name);
      reply.header('content-type', 'application/json; charset=utf-8');
      const known = decider.decideIfKnown(question, profile);
      if (known !== undefined) return reply.send(known);
      return decider.decide(question, profile, patienceFor(reply, limits.answerTime));
    },
  );

  // A body of lines is a stream: it is read as answers are taken.
  api.addContentTypeParser(LINES, (_request, payload, done) => done(null, payload));

  api.post<{ Body: DecideBody | Readable; Querystring: Partial<DecideQuery> }>(
    '/v1/decide',
    {
      schema: {
        operationId: 'decideAll',
        summary: 'Decide about many URLs',
        querystring: schemas.linesQuery,
        body: {
          content: { 'application/json': { schema: schemas.decideBody }, [LINES]: { schema: {} } },
        },
        response: { 200: schemas.decisions, ...schemas.failures },
      },
    },
    async ({ body, query }, reply) => {
      if (body instanceof Readable) {
        const agent = query.agent === undefined ? undefined : checkAgent(query.agent);
        const profile = profileNamed(query.profile ?? 'google');
        reply.type(`${LINES}; charset=utf-8`);
        return Readable.from(answerLines(decider, body, agent, profile, limits, goneSignalOf(reply)));
      }
      const { agent, urls, profile = query.profile ?? 'google' } = body;
      if (urls.length > limits.urls)
        throw new Problem(
          'too-many-urls',
          `a request asks for at most ${limits.urls} URLs; send lines for more`,
        );
      checkAgent(agent);
      const questions = urls.map((url) => ({ url: checkUrl(url), agent }));
      const patience = patienceFor(reply, limits.answerTime);
      const read = profileNamed(profile);
      await decider.askAll(questions, read, patience);
      reply.type('application/json; charset=utf-8');
      return Readable.from(asJson(decider.decideAll(questions, read, goneSignalOf(reply))));
    },
  );
}

/** Answers as one document, of which no more is made than the client takes. */
async function* asJson(answers: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let head = '{"answers":[';
  for await (const piece of answers) {
    yield `${head}${piece.join(',')}`;
    head = ',';
  }
  yield head === ',' ? ']}' : `${head}]}`;
}
