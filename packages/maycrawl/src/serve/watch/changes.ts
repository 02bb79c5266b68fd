// `/v1/watch/…`: the routes that add, change and delete monitored sites, and send test notifications.
import type { FastifyInstance } from 'fastify';
import type { WatchJson, WatchResponse, WatchRoute } from '../../api/watch-api.ts';
import { createTestMessage } from '../../watch/message.ts';
import { deliver } from '../../watch/notifications/delivery/deliver.ts';
import { SECRET_VARIABLES } from '../../watch/notifications/targets/secrets.ts';
import { describeTarget } from '../../watch/notifications/targets/target.ts';
import { parseOrigin } from '../decide/sites.ts';
import { createDeadlineSignal } from '../http/deadline.ts';
import { Problem } from '../http/problems.ts';
import { startWork, type Work } from '../limits/work.ts';
import { serializerCompiler } from '../routes/schemas.ts';
import type { WatchContext } from './context.ts';
import { findPrivateUrl } from './private-urls.ts';
import * as schemas from './schemas.ts';
import { createSettings, getNewWebhookUrls, readTarget } from './settings.ts';
import { requireSite } from './site.ts';

/** Concurrent test notifications. */
const MAX_TESTS = 4;

const ON_COMMAND_LINE = 'can only be set on the command line: maycrawl watch add';

export function addWatchChanges(api: FastifyInstance, context: WatchContext): void {
  const { repository, limits, log, now, allowPrivateAddresses, examine } = context;
  const createOptions = (route: WatchRoute, operationId: string, summary: string, more: object): object => ({
    schema: { operationId, summary, response: schemas.getWatchResponses(route, summary), ...more },
    serializerCompiler,
  });
  const check = async (given: WatchJson<'SettingsChange'>, work: Work): Promise<void> => {
    const { urls, tests } = given;
    const lines = urls?.split('\n') ?? [];
    if (lines.length > limits.urls)
      throw new Problem('too-many-urls', `a site has at most ${limits.urls} URLs`);
    if (lines.some(({ length }) => length > limits.urlChars))
      throw new Problem('url-too-long', `a URL has at most ${limits.urlChars} characters`);
    if (!allowPrivateAddresses && (await findPrivateUrl(getNewWebhookUrls(given), work.signal)) !== undefined)
      throw new Problem('invalid-target', `a target on a private address ${ON_COMMAND_LINE}`);
    if (!tests) return;
    const wrong = await examine({ kind: 'tests', text: tests }, tests.length, work);
    if (wrong !== '') throw new Problem('invalid-request', `invalid tests: ${wrong}`);
  };

  api.post<{ Body: WatchJson<'NewSite'> }>(
    '/v1/watch/sites',
    createOptions('POST sites', 'watchSite', 'Add a site to the monitor', { body: schemas.addBody }),
    async (request, reply): Promise<WatchResponse<'POST sites'>> => {
      const { origin: written, ...given } = request.body;
      const origin = parseOrigin(written);
      const work = startWork(request, reply, context);
      await check(given, work);
      if (!allowPrivateAddresses && (await findPrivateUrl([origin], work.signal)) !== undefined)
        throw new Problem(
          'private-address',
          `${origin} is on a private address: the operator can add it with "maycrawl watch add", or start the service and "maycrawl watch run" with --allow-private`,
        );
      const known = await repository.site(origin);
      if (known !== undefined) throw new Problem('already-watched', `${origin} is already monitored`);
      const settings = await createSettings(repository, given, undefined);
      await repository.addSites([origin], settings, now);
      return { origin };
    },
  );

  api.post<{ Body: WatchJson<'SettingsChange'>; Querystring: { readonly origin: string } }>(
    '/v1/watch/site',
    createOptions('POST site', 'changeSite', 'Change how a site is watched', {
      body: schemas.changeBody,
      querystring: schemas.originQuery,
    }),
    async (request, reply): Promise<WatchResponse<'POST site'>> => {
      const { body, query } = request;
      const origin = parseOrigin(query.origin);
      await check(body, startWork(request, reply, context));
      const row = await requireSite(repository, origin);
      const before = repository.settingsIn(row);
      await repository.addSites([origin], await createSettings(repository, body, before), now);
      return { origin };
    },
  );

  api.delete<{ Querystring: { readonly origin: string } }>(
    '/v1/watch/site',
    createOptions('DELETE site', 'forgetSite', 'Stop watching a site, and delete its versions and events', {
      querystring: schemas.originQuery,
    }),
    async ({ query }): Promise<WatchResponse<'DELETE site'>> => {
      const origin = parseOrigin(query.origin);
      await requireSite(repository, origin);
      await repository.removeSites([origin]);
      return { origin };
    },
  );

  let tests = 0;
  api.post<{ Body: WatchJson<'TestNotification'> }>(
    '/v1/watch/test',
    createOptions('POST test', 'tryTarget', 'Send a test notification', {
      body: schemas.testBody,
    }),
    async ({ body }, reply): Promise<WatchResponse<'POST test'>> => {
      const target = readTarget(body.target);
      if (tests >= MAX_TESTS)
        throw new Problem('overloaded', 'other test notifications are in progress', { 'retry-after': '5' });
      tests++;
      try {
        const receipt = await deliver(target, createTestMessage(now()), {
          environment: Object.fromEntries(SECRET_VARIABLES.map((name) => [name, process.env[name]])),
          signal: createDeadlineSignal(reply, limits.responseTime),
          allowPrivateAddresses,
          log: (severity, line) => log.info({ severity }, line),
        });
        const isDelivered = receipt.kind === 'delivered';
        const reason = receipt.kind === 'delivered' ? null : receipt.reason;
        return { target: describeTarget(body.target), delivered: isDelivered, reason };
      } finally {
        tests--;
      }
    },
  );
}
