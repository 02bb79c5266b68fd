// `/v1/parse`, `/v1/lint` and `/v1/diff`: reports about files that the client sends. Threads create them (file-worker.ts).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getProfile } from '../decide/profile-name.ts';
import { Problem } from '../http/problems.ts';
import { createThreads } from '../limits/threads.ts';
import { startWork } from '../limits/work.ts';
import type { Context } from './context.ts';
import type { FileTask } from './file-worker.ts';
import * as schemas from './schemas.ts';

/** A body. The schema has checked everything except the files. */
type Body = Readonly<Record<string, string | undefined>>;
type DiffBody = Omit<Body, 'agents'> & { readonly agents?: readonly string[] };

export function addFileRoutes(api: FastifyInstance, context: Context): void {
  const { agents: names } = context;
  const runInThread = createThreads<FileTask>(api, context, new URL('./file-worker.js', import.meta.url));
  const examine = async (task: FileTask, request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    getProfile(task.profile);
    for (const agent of task.agents ?? []) names.resolve(agent);
    const size = task.files.reduce((bytes, file) => bytes + file.length, 0);
    const report = await runInThread(task, size, startWork(request, reply, context));
    reply.type('application/json; charset=utf-8');
    return report;
  };
  const createOptions = (operationId: FileTask['kind'], summary: string, body: object): object => ({
    schema: { operationId, summary, body, response: { 200: schemas.report(summary), ...schemas.failures } },
  });

  const route = (kind: 'parse' | 'lint', summary: string): void => {
    api.post<{ Body: Body }>(
      `/v1/${kind}`,
      createOptions(kind, summary, schemas.fileBody),
      async (request, reply) => {
        const { body } = request;
        const files = [readFile(body, 'robots')];
        return examine({ kind, files, profile: body['profile'] ?? 'google' }, request, reply);
      },
    );
  };
  route('parse', 'Parse a robots.txt');
  route('lint', 'Find mistakes in a robots.txt');
  const diff = createOptions('diff', 'Compare two robots.txt files for all URLs', schemas.filesBody);
  api.post<{ Body: DiffBody }>('/v1/diff', diff, async (request, reply) => {
    const { agents, ...body } = request.body;
    const files = [readFile(body, 'before'), readFile(body, 'after')];
    const { profile = 'google' } = body;
    return examine({ kind: 'diff', files, profile, ...(agents && { agents }) }, request, reply);
  });
}

/** Reads a file of a body, as text or in base64. @throws {Problem} `invalid-request` unless the body has exactly one of them. */
function readFile(body: Body, name: string): string | Uint8Array {
  const [text, base64] = [body[name], body[`${name}Base64`]];
  if ((text === undefined) === (base64 === undefined))
    throw new Problem('invalid-request', `give the file either as "${name}" or as "${name}Base64"`);
  if (base64 === undefined) return text as string;
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new Problem('invalid-request', `"${name}Base64" is not valid base64`);
  return Buffer.from(base64, 'base64');
}
