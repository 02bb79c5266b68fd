import { expect, test } from 'vitest';
import { createResponse } from '../../../client/test/support/histories.ts';
import { fetchText } from '../../../client/test/support/results.ts';
import { type CheckOptions, check } from '../../src/watch/check.ts';
import type { ClaimedSite } from '../../src/watch/storage/recording.ts';
import type { SiteRepository } from '../../src/watch/storage/site-repository.ts';

test('the check of a site fails if its list of URLs is no longer in the database', async () => {
  const response = createResponse(0, { bytes: Buffer.from('User-agent: *\nDisallow: /\n') });
  const site = {
    origin: 'https://a.example',
    settings: { every: 60_000, agents: [], notify: [], urls: { name: 'urls.txt', hash: 'lost' } },
    history: { response, outage: null },
    ...{ policy: { kind: 'rules' }, hash: null, checks: 0, version: 0, throttledAt: null, attempts: 0 },
    ...{ attemptedResponse: null, setAsideAt: null, owner: 'me', unconfirmed: null, siteCheck: null },
  } as unknown as ClaimedSite;
  const repository = {
    content: async () => undefined,
    database: { db: { all: async () => [], get: async () => undefined } },
  } as unknown as SiteRepository;
  const options: CheckOptions = {
    ...{
      userAgent: 'x',
      timeout: 1_000,
      allowPrivateAddresses: undefined,
      signal: new AbortController().signal,
    },
    now: () => 0,
    fetcher: fetchText('Disallow: /'),
    analyse: () => Promise.reject(new Error('nothing is analysed')),
  };
  await expect(check(site, repository, options)).rejects.toThrow('urls.txt is no longer in the database');
});
