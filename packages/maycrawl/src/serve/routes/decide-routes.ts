// `/v1/decide`: may a crawler fetch these URLs?
import { Readable } from 'node:stream';
import { timeSlices } from '@maycrawl/client/internal';
import type { FastifyInstance } from 'fastify';
import type { DecisionRequest, NamedAgent } from '../decide/agents.ts';
import { decideLines, LINES_PER_REQUEST } from '../decide/lines.ts';
import { getProfile } from '../decide/profile-name.ts';
import { Problem } from '../http/problems.ts';
import { startStreamedWork, startWork, type Work } from '../limits/work.ts';
import type { Context } from './context.ts';
import * as schemas from './schemas.ts';

interface DecideQuery {
  readonly url: string;
  readonly agent: string;
  readonly profile: string;
}

interface DecideBody {
  readonly agent?: string;
  readonly agents?: readonly string[];
  readonly profile?: string;
  readonly urls: readonly string[];
}

/** The media type of lines of JSON. */
const LINES = 'application/x-ndjson';

/** Adds the routes to a scope of their own: other routes take no lines. */
export function addDecideRoutes(api: FastifyInstance, context: Context): void {
  const { decider, limits, agents, metrics } = context;
  const checkUrl = (url: string): string => {
    if (url.length <= limits.urlChars) return url;
    throw new Problem('url-too-long', `a URL has at most ${limits.urlChars} characters`);
  };

  api.get<{ Querystring: DecideQuery }>(
    '/v1/decide',
    {
      schema: {
        operationId: 'decide',
        summary: 'Decide about one URL',
        querystring: schemas.decideQuery,
        response: { 200: schemas.decisionResponse, ...schemas.failures },
      },
    },
    // Most decisions are sent without a promise.
    (request, reply) => {
      const { url, agent, profile: name } = request.query;
      const decision = { url: checkUrl(url), agent: agents.resolve(agent) };
      const profile = getProfile(name);
      reply.header('content-type', 'application/json; charset=utf-8');
      const known = decider.decideIfCheap(decision, profile);
      if (known !== undefined) return reply.send(known);
      return decider.decide(decision, profile, startWork(request, reply, context));
    },
  );

  // A body of lines is a stream: it is read as responses are taken.
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
        response: { 200: schemas.decisionsResponse, ...schemas.failures },
      },
    },
    async (request, reply) => {
      const { body, query } = request;
      if (body instanceof Readable) {
        const agent = query.agent === undefined ? undefined : agents.resolve(query.agent);
        const profile = getProfile(query.profile ?? 'google');
        reply.type(`${LINES}; charset=utf-8`);
        const work = startStreamedWork(request, reply, context);
        reply.raw.once('close', work.client.take('lineBodies'));
        return Readable.from(decideLines(body, { decider, agents, limits, metrics, profile, agent }, work));
      }
      const { urls, profile: name = query.profile ?? 'google' } = body;
      // Only one of two would count.
      if (query.agent !== undefined)
        throw new Problem('invalid-request', 'a JSON body names the crawler, not the query');
      if (query.profile !== undefined && body.profile !== undefined)
        throw new Problem('invalid-request', 'give the profile either in the query or in the body');
      if (urls.length > limits.urls)
        throw new Problem('too-many-urls', `a request has at most ${limits.urls} URLs; send lines for more`);
      const agent = readAgent(body);
      const requests = urls.map((url): DecisionRequest => ({ url: checkUrl(url), agent }));
      const profile = getProfile(name);
      const work = startWork(request, reply, context);
      work.client.countRequests(Math.floor(urls.length / LINES_PER_REQUEST));
      await decider.fetchAll(requests, profile, work);
      reply.type('application/json; charset=utf-8');
      const streamed = startStreamedWork(request, reply, context);
      return Readable.from(asJson(decider.decideAll(requests, profile, streamed), streamed));
    },
  );

  const readAgent = ({ agent, agents: tokens }: DecideBody): NamedAgent => {
    if ((agent === undefined) === (tokens === undefined))
      throw new Problem('invalid-request', 'give the crawler either as "agent" or as "agents"');
    return tokens === undefined ? agents.resolve(agent as string) : agents.combine(tokens);
  };
}

/** Responds with one document, of which no more is made than the client takes. */
async function* asJson(
  decisions: AsyncIterable<readonly string[]>,
  { signal }: Work,
): AsyncGenerator<string> {
  let head = '{"decisions":[';
  for await (const piece of decisions) {
    yield `${head}${piece.join(',')}`;
    head = ',';
    if (timeSlices.isUsedUp()) await timeSlices.giveWay(signal);
  }
  yield head === ',' ? ']}' : `${head}]}`;
}
