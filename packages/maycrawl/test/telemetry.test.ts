/** The service, the monitor and a census report their fetches on the channels of the client. */
import type { FetchMessage } from '@maycrawl/client';
import { expect, onTestFinished, test } from 'vitest';
import { collectMessages } from '../../client/test/support/messages.ts';
import { serve, type TestServer } from '../../client/test/support/server.ts';
import { fetchSites } from '../src/census/inputs/sites/fetch-sites.ts';
import { SiteRepository } from '../src/watch/storage/site-repository.ts';
import { getDecisionPath, startService } from './support/service.ts';
import { describeKinds } from './support/watch-databases.ts';
import { workOnce } from './support/work-once.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';

async function startSite(): Promise<TestServer> {
  const site = await serve((_request, response) => response.end(FILE));
  onTestFinished(() => site.close());
  return site;
}

/** The message of the one fetch of a site. */
const createMessage = (origin: string): Partial<FetchMessage> => ({
  ...{ kind: 'fetched', origin, url: `${origin}/robots.txt`, result: 'successful', status: 200 },
  ...{ bytes: FILE.length, responses: 1 },
});

test('the service reports its fetches and the reads of its cache', async () => {
  const { origin } = await startSite();
  const service = await startService();
  onTestFinished(() => service.app.close());
  const fetches = collectMessages(['maycrawl:robots:fetch'], origin);
  const reads = collectMessages(['maycrawl:robots:cache'], origin);
  for (const path of ['/a', '/b']) await service.get(getDecisionPath(origin + path));
  expect(fetches).toMatchObject([createMessage(origin)]);
  expect(reads[0]).toEqual({ kind: 'read', origin, result: 'miss' });
  expect(reads.at(-1)).toEqual({ kind: 'read', origin, result: 'hit' });
});

test('a census reports the fetches of a list of sites', async () => {
  const { origin } = await startSite();
  const fetches = collectMessages(['maycrawl:robots:fetch'], origin);
  const options = { userAgent: 'maycrawl-test', allowPrivateAddresses: true, spacing: 0 };
  for await (const { result } of fetchSites([origin], 'google', options, undefined))
    expect(result).toBe('successful');
  expect(fetches).toMatchObject([{ ...createMessage(origin), userAgent: 'maycrawl-test' }]);
});

describeKinds((withDatabase) => {
  test('the monitor reports its fetches', () =>
    withDatabase(async (database) => {
      const { origin } = await startSite();
      const fetches = collectMessages(['maycrawl:robots:fetch'], origin);
      const now = Date.UTC(2026, 0, 1);
      const settings = { every: 3_600_000, agents: [], notify: [] };
      await new SiteRepository(database).addSites([origin], settings, () => now);
      await workOnce(database, { now: () => now });
      expect(fetches).toMatchObject([createMessage(origin)]);
    }));
});
