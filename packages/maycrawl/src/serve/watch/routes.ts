// `/v1/watch/…`: the API of the monitor.

import { unlessAborted } from '@maycrawl/client/internal';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { WatchResponse, WatchRoute } from '../../api/watch-api.ts';
import { toEventReport } from '../../watch/event-report.ts';
import { Outbox } from '../../watch/storage/outbox.ts';
import { SiteRepository } from '../../watch/storage/site-repository.ts';
import { parseOrigin } from '../decide/sites.ts';
import { createDeadlineSignal } from '../http/deadline.ts';
import { Problem } from '../http/problems.ts';
import { createThreads } from '../limits/threads.ts';
import { startWork, type Work } from '../limits/work.ts';
import { serializerCompiler } from '../routes/schemas.ts';
import { addWatchChanges } from './changes.ts';
import type { WatchContext } from './context.ts';
import { addWatchGuards } from './guards.ts';
import { addWatchLive } from './live.ts';
import * as schemas from './schemas.ts';
import { getEditableSettings } from './settings.ts';
import { createSiteReport, readVersion, requireSite, toFailingReport, toVersionReport } from './site.ts';
import { readSites, type SitesQuery } from './sites.ts';
import { createUrlsTask } from './urls.ts';
import type { WatchTask } from './worker.ts';

const [SITES, EVENTS, VERSIONS, STEPS] = [50, 50, 100, 30] as const;
/** Failing targets in one response. */
const FAILING = 20;

/** Creates the parts that the routes use. Threads start on demand and end with the service. */
export async function createWatchContext(
  app: FastifyInstance,
  options: Omit<WatchContext, 'repository' | 'outbox' | 'examine'>,
): Promise<WatchContext> {
  const { database } = options;
  const examine = createThreads<WatchTask>(app, options, new URL('./worker.js', import.meta.url));
  return { ...options, repository: new SiteRepository(database), outbox: new Outbox(database), examine };
}

/** Adds the event stream. Only its beginning has a deadline. */
export async function addLiveRoutes(api: FastifyInstance, context: WatchContext): Promise<void> {
  await api.register(async (child) => {
    guard(child, context);
    addWatchLive(child, context);
  });
}

/** Adds the other routes. */
export async function addWatchRoutes(api: FastifyInstance, context: WatchContext): Promise<void> {
  await api.register(async (child) => {
    guard(child, context);
    limitTime(child, context);
    addReadRoutes(child, context);
    addWatchChanges(child, context);
  });
}

function guard(api: FastifyInstance, { isOpen }: WatchContext): void {
  addWatchGuards(api, isOpen);
  api.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });
}

/** Limits the time of all routes. What a route does with the database has no signal, and continues. */
function limitTime(api: FastifyInstance, { limits }: WatchContext): void {
  api.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const signal = createDeadlineSignal(reply, limits.responseTime);
      return unlessAborted(Promise.resolve(handler.call(this, request, reply)), signal);
    };
  });
}

type GetPath = WatchRoute extends infer Route ? (Route extends `GET ${infer Path}` ? Path : never) : never;
type Query = Readonly<Record<string, string | undefined>>;
type SiteQuery = Query & { readonly origin: string };

function addReadRoutes(api: FastifyInstance, context: WatchContext): void {
  const { database, repository, outbox, now, examine } = context;
  const get = <Parameters extends Query, Path extends GetPath>(
    [path, operationId, summary, querystring]: readonly [Path, string, string, object],
    // A thread responds in JSON.
    respond: (
      query: Parameters,
      reply: FastifyReply,
      work: Work,
    ) => Promise<WatchResponse<`GET ${Path}`> | FastifyReply>,
  ): void => {
    const response = schemas.getWatchResponses(`GET ${path}`, summary);
    const schema = { operationId, summary, querystring, response };
    api.get(`/v1/watch/${path}`, { schema, serializerCompiler }, (request, reply) =>
      respond(request.query as Parameters, reply, startWork(request, reply, context)),
    );
  };
  const toNumber = (text: string | undefined, defaultValue: number): number => Number(text ?? defaultValue);

  get(
    ['sites', 'watchedSites', 'List the monitored sites', schemas.sitesQuery],
    async ({ limit, ...query }: Query, _reply, { signal }) => {
      const { sites: total, due } = await repository.counts(now());
      const page = await readSites(
        database,
        { ...query, limit: toNumber(limit, SITES) } as SitesQuery,
        signal,
      );
      const counts = await outbox.counts();
      const isFirst = query['after'] === undefined && counts.waiting + counts.dropped > 0;
      const failing = isFirst ? await outbox.failingTargets(FAILING) : [];
      return { total, due, ...counts, ...(isFirst && { failing: failing.map(toFailingReport) }), ...page };
    },
  );
  get(
    ['site', 'watchedSite', 'Get the state of a site', schemas.originQuery],
    async ({ origin }: SiteQuery) => createSiteReport(context, parseOrigin(origin), now()),
  );
  get(
    ['settings', 'siteSettings', 'Get the settings of a site', schemas.originQuery],
    async ({ origin }: SiteQuery) => {
      return getEditableSettings(
        repository,
        repository.settingsIn(await requireSite(repository, parseOrigin(origin))),
      );
    },
  );
  get(
    ['events', 'watchEvents', 'List events, the newest first', schemas.eventsQuery],
    async ({ origin, before, limit }: Query) => {
      const until = before === undefined ? undefined : Date.parse(before);
      // The schema allows leap seconds, which `Date` does not.
      if (Number.isNaN(until)) throw new Problem('invalid-request', 'before is not a valid time');
      const site = origin === undefined ? undefined : parseOrigin(origin);
      const events = await repository.events(toNumber(limit, EVENTS), site, until);
      return { events: events.map(toEventReport) };
    },
  );
  get(
    ['versions', 'siteVersions', 'List the versions of a site, the newest first', schemas.versionsQuery],
    async ({ origin, before, limit }: SiteQuery) => {
      const page = {
        limit: toNumber(limit, VERSIONS),
        ...(before !== undefined && { before: Number(before) }),
      };
      return { versions: (await repository.versions(parseOrigin(origin), page)).map(toVersionReport) };
    },
  );
  get(
    ['version', 'siteVersion', 'Get a version of a site with its file', schemas.versionQuery],
    async ({ origin, number }: SiteQuery) => {
      const { file, ...version } = await readVersion(repository, parseOrigin(origin), Number(number));
      return { ...version, content: file === null ? null : Buffer.from(file).toString('base64') };
    },
  );
  get(
    ['compare', 'compareVersions', 'Compare two versions of a site', schemas.compareQuery],
    async ({ origin, before, after }: SiteQuery, reply, work) => {
      const files = await Promise.all(
        [before, after].map(async (number) => {
          const { kind, file } = await readVersion(repository, parseOrigin(origin), Number(number));
          if (kind === 'unavailable') return new Uint8Array();
          if (file !== null) return file;
          throw new Problem('no-file', `version ${number} has no file to compare`);
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
    ['urls', 'countUrlsOverTime', 'Count the allowed URLs of a site over time', schemas.urlsQuery],
    async ({ origin, versions }: SiteQuery, reply, work) => {
      const input = await createUrlsTask(context, parseOrigin(origin), toNumber(versions, STEPS));
      reply.type('application/json; charset=utf-8');
      return reply.serializer(String).send(await examine({ kind: 'urls', input }, input.urls.length, work));
    },
  );
}
