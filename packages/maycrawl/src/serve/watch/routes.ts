/**
 * `/v1/watch/…`: the monitor, for its pages and for programs.
 *
 * @module
 */

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { WatchResponse, WatchRoute } from '../../api/watch-api.ts';
import { toEventReport } from '../../watch/event-report.ts';
import { Outbox } from '../../watch/outbox.ts';
import { SiteRepository } from '../../watch/site-repository.ts';
import { originOf } from '../decide/sites.ts';
import { Problem } from '../http/problems.ts';
import { createThreads } from '../limits/threads.ts';
import { startWork, type Work } from '../limits/work.ts';
import { addWatchChanges } from './changes.ts';
import type { WatchContext } from './context.ts';
import { refuseStrangers } from './guards.ts';
import { addWatchLive } from './live.ts';
import * as schemas from './schemas.ts';
import { serializerCompiler } from './schemas.ts';
import { editableSettings } from './settings.ts';
import { eventsOf, requireSite, siteReport, versionReport, versionsOf } from './site.ts';
import { type SitesQuery, sitesOf } from './sites.ts';
import { questionOf } from './urls.ts';
import type { WatchTask } from './worker.ts';

const [SITES, EVENTS, VERSIONS, STEPS] = [50, 50, 100, 30] as const;

/** Makes what the routes share; threads are started when they are needed, and end with the service. */
export async function createWatchContext(
  app: FastifyInstance,
  options: Omit<WatchContext, 'repository' | 'examine'>,
): Promise<WatchContext> {
  const { database } = options;
  const examine = createThreads<WatchTask>(app, options, new URL('./worker.js', import.meta.url));
  return { ...options, repository: new SiteRepository(database), examine };
}

/** What lasts as long as its client likes. */
export async function addLiveRoutes(api: FastifyInstance, context: WatchContext): Promise<void> {
  await api.register(async (child) => {
    guard(child, context);
    addWatchLive(child, context);
  });
}

/** All else. */
export async function addWatchRoutes(api: FastifyInstance, context: WatchContext): Promise<void> {
  await api.register(async (child) => {
    guard(child, context);
    addQuestions(child, context);
    addWatchChanges(child, context);
  });
}

function guard(api: FastifyInstance, { isOpen }: WatchContext): void {
  refuseStrangers(api, isOpen);
  api.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
}

type GetPath = WatchRoute extends infer Route ? (Route extends `GET ${infer Path}` ? Path : never) : never;
type Query = Readonly<Record<string, string | undefined>>;
type SiteQuery = Query & { readonly origin: string };

function addQuestions(api: FastifyInstance, context: WatchContext): void {
  const { database, repository, now, examine } = context;
  const outbox = new Outbox(database);
  const get = <Asked extends Query, Path extends GetPath>(
    [path, operationId, summary, querystring]: readonly [Path, string, string, object],
    // A thread answers in JSON.
    answer: (
      query: Asked,
      reply: FastifyReply,
      work: Work,
    ) => Promise<WatchResponse<`GET ${Path}`> | FastifyReply>,
  ): void => {
    const response = schemas.getWatchResponses(`GET ${path}`, summary);
    const schema = { operationId, summary, querystring, response };
    api.get(`/v1/watch/${path}`, { schema, serializerCompiler }, (request, reply) =>
      answer(request.query as Asked, reply, startWork(request, reply, context)),
    );
  };
  const numberIn = (text: string | undefined, usual: number): number => Number(text ?? usual);

  get(
    ['sites', 'watchedSites', 'The sites that are watched', schemas.sitesQuery],
    async ({ limit, ...query }: Query, _reply, { signal }) => {
      const { sites: total, due } = await repository.counts(now());
      const page = await sitesOf(database, { ...query, limit: numberIn(limit, SITES) } as SitesQuery, signal);
      return { total, due, ...(await outbox.counts()), ...page };
    },
  );
  get(
    ['site', 'watchedSite', 'What is known of a site', schemas.originQuery],
    async ({ origin }: SiteQuery) => siteReport(database, originOf(origin)),
  );
  get(
    ['settings', 'siteSettings', 'How a site is watched', schemas.originQuery],
    async ({ origin }: SiteQuery) => {
      return editableSettings(
        repository,
        repository.settingsIn(await requireSite(database, originOf(origin))),
      );
    },
  );
  get(
    ['events', 'watchEvents', 'What happened, the newest first', schemas.eventsQuery],
    async ({ origin, before, limit }: Query) => {
      const until = before === undefined ? 0 : Date.parse(before);
      // A leap second is a time, and none of this calendar.
      if (Number.isNaN(until)) throw new Problem('invalid-request', 'before is no such time');
      const asked = {
        ...(origin !== undefined && { origin: originOf(origin) }),
        ...(before !== undefined && { before: until }),
      };
      return { events: (await eventsOf(database, numberIn(limit, EVENTS), asked)).map(toEventReport) };
    },
  );
  get(
    ['versions', 'siteVersions', 'Versions of a site, the newest first', schemas.versionsQuery],
    async ({ origin, before, limit }: SiteQuery) => {
      const from = before === undefined ? null : Number(before);
      return { versions: await versionsOf(database, originOf(origin), numberIn(limit, VERSIONS), from) };
    },
  );
  get(
    ['version', 'siteVersion', 'A version of a site, and its file', schemas.versionQuery],
    async ({ origin, number }: SiteQuery) => {
      const { file, ...version } = await versionReport(database, originOf(origin), Number(number));
      return { ...version, content: file === null ? null : Buffer.from(file).toString('base64') };
    },
  );
  get(
    ['compare', 'compareVersions', 'What changed between two versions', schemas.compareQuery],
    async ({ origin, before, after }: SiteQuery, reply, work) => {
      const files = await Promise.all(
        [before, after].map(async (number) => {
          const { kind, file } = await versionReport(database, originOf(origin), Number(number));
          if (kind === 'absent') return new Uint8Array();
          if (file !== null) return file;
          throw new Problem('no-file', `of version ${number} there is no file to compare`);
        }),
      );
      reply.type('application/json; charset=utf-8');
      return reply.serializer(String).send(
        await examine(
          { kind: 'diff', files },
          files.reduce((bytes, { length }) => bytes + length, 0),
          work,
        ),
      );
    },
  );
  get(
    ['urls', 'urlsOverTime', 'How many URLs were allowed, over time', schemas.urlsQuery],
    async ({ origin, versions }: SiteQuery, reply, work) => {
      const question = await questionOf(context, originOf(origin), numberIn(versions, STEPS));
      reply.type('application/json; charset=utf-8');
      return reply
        .serializer(String)
        .send(await examine({ kind: 'urls', question }, question.urls.length, work));
    },
  );
}
