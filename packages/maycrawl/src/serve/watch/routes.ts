/**
 * `/v1/watch/…`: the monitor, for its pages and for programs.
 *
 * @module
 */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { toEventReport } from '../../watch/event-report.ts';
import { Outbox } from '../../watch/outbox.ts';
import { SiteRepository } from '../../watch/site-repository.ts';
import { originOf } from '../decide/sites.ts';
import { Problem } from '../http/problems.ts';
import { createThreads } from '../limits/threads.ts';
import { startWork, type Work } from '../limits/work.ts';
import { failures, report } from '../routes/schemas.ts';
import { addWatchChanges } from './changes.ts';
import type { WatchContext } from './context.ts';
import { refuseStrangers } from './guards.ts';
import { addWatchLive } from './live.ts';
import * as schemas from './schemas.ts';
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

type Query = Readonly<Record<string, string | undefined>>;
type SiteQuery = Query & { readonly origin: string };

function addQuestions(api: FastifyInstance, context: WatchContext): void {
  const { database, repository, now, examine } = context;
  const outbox = new Outbox(database);
  const get = <Asked extends Query>(
    [path, operationId, summary, querystring]: readonly [string, string, string, object],
    answer: (query: Asked, reply: FastifyReply, work: Work) => Promise<unknown>,
  ): void => {
    const schema = { operationId, summary, querystring, response: { 200: report(summary), ...failures } };
    api.get(path, { schema }, (request, reply) =>
      answer(request.query as Asked, reply, startWork(request, reply, context)),
    );
  };
  const numberIn = (text: string | undefined, usual: number): number => Number(text ?? usual);

  get<Query>(
    ['/v1/watch/sites', 'watchedSites', 'The sites that are watched', schemas.sitesQuery],
    async ({ limit, ...query }, _reply, { signal }) => {
      const { sites: total, due } = await repository.counts(now());
      const page = await sitesOf(database, { ...query, limit: numberIn(limit, SITES) } as SitesQuery, signal);
      return { total, due, ...(await outbox.counts()), ...page };
    },
  );
  get<SiteQuery>(
    ['/v1/watch/site', 'watchedSite', 'What is known of a site', schemas.originQuery],
    async ({ origin }) => siteReport(database, originOf(origin)),
  );
  get<SiteQuery>(
    ['/v1/watch/settings', 'siteSettings', 'How a site is watched', schemas.originQuery],
    async ({ origin }) => {
      return editableSettings(
        repository,
        repository.settingsIn(await requireSite(database, originOf(origin))),
      );
    },
  );
  get<Query>(
    ['/v1/watch/events', 'watchEvents', 'What happened, the newest first', schemas.eventsQuery],
    async ({ origin, before, limit }) => {
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
  get<SiteQuery>(
    ['/v1/watch/versions', 'siteVersions', 'Versions of a site, the newest first', schemas.versionsQuery],
    async ({ origin, before, limit }) => {
      const from = before === undefined ? null : Number(before);
      return { versions: await versionsOf(database, originOf(origin), numberIn(limit, VERSIONS), from) };
    },
  );
  get<SiteQuery>(
    ['/v1/watch/version', 'siteVersion', 'A version of a site, and its file', schemas.versionQuery],
    async ({ origin, number }) => {
      const { file, ...version } = await versionReport(database, originOf(origin), Number(number));
      return { ...version, content: file === null ? null : Buffer.from(file).toString('base64') };
    },
  );
  get<SiteQuery>(
    ['/v1/watch/compare', 'compareVersions', 'What changed between two versions', schemas.compareQuery],
    async ({ origin, before, after }, reply, work) => {
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
  get<SiteQuery>(
    ['/v1/watch/urls', 'urlsOverTime', 'How many URLs were allowed, over time', schemas.urlsQuery],
    async ({ origin, versions }, reply, work) => {
      const question = await questionOf(context, originOf(origin), numberIn(versions, STEPS));
      reply.type('application/json; charset=utf-8');
      return reply
        .serializer(String)
        .send(await examine({ kind: 'urls', question }, question.urls.length, work));
    },
  );
}
