import { randomUUID } from 'node:crypto';
import { sql } from '@maycrawl/client/internal';
import { createChange, type Observation } from '../../../client/src/robots/observation.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import type { EventRow } from '../../src/watch/storage/tables.ts';

/** The claims run one after another: one site is due at a time. */
let claiming: Promise<unknown> = Promise.resolve();

export const DAY: number = 86_400_000;

/** Creates one of many small files. */
export function createFile(number: number): Buffer {
  return Buffer.from(`User-agent: *\nDisallow: /${number}\n`);
}

export function createSettings(notify: readonly string[]): SiteSettings {
  return { every: DAY, confirm: 0, agents: [], notify };
}

/** Records a check that has found a file, no file (`null`), or an outage. Each check has an event, whatever the result of the last check. */
export async function recordCheck(
  database: WatchDatabase,
  origin: string,
  at: number,
  answer: Uint8Array | null | 'down',
): Promise<EventRow | undefined> {
  const repository = new SiteRepository(database);
  const claim = claiming.then(async () => {
    await database.db.run(sql`update watch_sites set due_at = 1 where origin = ${origin}`);
    const [site] = await repository.claimDue(randomUUID(), 1, 1);
    if (site?.origin !== origin) throw new Error(`${origin} could not be claimed`);
    return site;
  });
  claiming = claim.catch(() => {});
  const site = await claim;
  const common = { hops: [], timings: {} as never, status: 200 };
  const none = { code: null, message: null };
  const observation: Observation =
    answer === 'down'
      ? {
          failure: {
            ...common,
            at,
            code: 'http-error' as never,
            message: '',
            retryAt: null,
            saysNotFound: false,
          },
        }
      : {
          response: {
            ...{ ...common, ...none, fetchedAt: at, staleAt: at, headers: {} as never },
            ...(answer === null
              ? { kind: 'unavailable', bytes: new Uint8Array() }
              : { kind: 'successful', bytes: answer }),
          },
        };
  const history = createChange(observation)(site.history)?.history ?? site.history;
  const impact = {
    ...({ kind: 'blocked', aspects: ['blocked'], severity: 'warning', text: '', details: {} } as const),
    title: `change ${site.version + 1}`,
  };
  return repository.record({
    site,
    at,
    history,
    policy: { kind: 'rules' },
    impact,
    siteCheck: null,
    dueAt: at + DAY,
  });
}
