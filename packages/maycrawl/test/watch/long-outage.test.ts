import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import type { Fetcher } from '../../../client/src/origins/fetch-origin.ts';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { closeAtEnd } from '../../../client/test/support/close-at-end.ts';
import { serve } from '../../../client/test/support/server.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createSettings, DAY } from '../support/recorded-checks.ts';
import { openTestDatabase } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const failForHomePage: Fetcher = (url, validators, options) => {
  if (url.endsWith('/robots.txt')) return refetchRobotsTxt(url, validators, options);
  return Promise.reject(new Error('no file descriptors are left'));
};

test.each([
  [
    'that is reachable',
    404,
    refetchRobotsTxt,
    'outage-expired',
    /the rest of the site is reachable, so Google allows all URLs\n(?:.*\n)*The monitor requested \/: the site is otherwise reachable/,
  ],
  [
    'that is unreachable',
    503,
    refetchRobotsTxt,
    'unreachable',
    /the rest of the site is unreachable too, and Google treats all URLs as disallowed\n/,
  ],
  [
    'whose reachability is unknown because this machine has a failure',
    200,
    failForHomePage,
    'unknown',
    /it is not known what Google does/,
  ],
] as const)(
  'after thirty days of errors the monitor requests / before it reports the policy of a site %s',
  async (_which, status, fetcher, policy, text) => {
    let isUp = true;
    const listener: RequestListener = ({ url }, response) => {
      if (url !== '/robots.txt') response.writeHead(status).end();
      else if (isUp) response.end('User-agent: *\nDisallow: /a\n');
      else response.writeHead(500).end();
    };
    const site = await closeAtEnd(serve(listener));
    const database = await openTestDatabase();
    const repository = new SiteRepository(database);
    let now = Date.UTC(2026, 0, 1);
    await repository.addSites([site.origin], createSettings([]), () => now);
    const check = async (days: number): Promise<void> => {
      now += days * DAY;
      await workOnce(database, { fetcher, now: () => now });
    };
    await check(0);
    isUp = false;
    await check(2);
    await check(20);
    expect(site.requests.filter((url) => url === '/')).toEqual([]);
    await check(12);
    expect(site.requests.filter((url) => url === '/').length).toBe(fetcher === failForHomePage ? 0 : 1);
    const [event, before] = await repository.events(2);
    expect(before?.title).toContain('Google applies the rules of version 1 again');
    expect(event?.kind).toBe('outage-continues');
    expect(`${event?.title}\n${event?.text}`).toMatch(text);
    const isSiteReachable = { 'outage-expired': true, unreachable: false, unknown: null }[policy];
    expect(JSON.parse(event?.details ?? '')).toMatchObject({ isSiteReachable });
    expect((await repository.site(site.origin))?.policy).toBe(policy);
  },
);
