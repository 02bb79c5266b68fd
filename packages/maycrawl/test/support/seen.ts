import { randomUUID } from 'node:crypto';
import { changeBy, type News } from '../../src/client/fail-safe-store.ts';
import type { Ledger } from '../../src/watch/ledger.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import type { EventRow } from '../../src/watch/tables.ts';

export const DAY = 86_400_000;

/** One of many small files. */
export function fileOf(number: number): Buffer {
  return Buffer.from(`User-agent: *\nDisallow: /${number}\n`);
}

export function settingsFor(notify: readonly string[]): SiteSettings {
  return { every: DAY, agents: [], notify };
}

/** Writes down a check that has seen a file, none (`null`), or an outage: an event each time, whatever was there before. */
export async function see(
  ledger: Ledger,
  origin: string,
  at: number,
  answer: Uint8Array | null | 'down',
): Promise<EventRow | undefined> {
  const owner = randomUUID();
  const sites = await ledger.claimDue(owner, Number.MAX_SAFE_INTEGER - 1, at + DAY, 1_000);
  // All are due at any time; those that are not meant go back.
  const site = sites.find((each) => each.origin === origin);
  if (site === undefined) throw new Error(`${origin} is not there`);
  const told = { hops: [], timings: {} as never, status: 200 };
  const none = { code: null, reason: null };
  const news: News =
    answer === 'down'
      ? { failure: { ...told, at, code: 'http-error' as never, reason: '', retryAt: null, saysNotFound: false } }
      : {
          answer: {
            ...{ ...told, ...none, fetchedAt: at, freshUntil: at, headers: {} as never },
            ...(answer === null
              ? { kind: 'absent', bytes: new Uint8Array() }
              : { kind: 'found', bytes: answer }),
          },
        };
  const history = changeBy(news)(site.history)?.history ?? site.history;
  const meaning = {
    ...{ kind: 'blocked', aspects: ['blocked'], severity: 'warning', text: '', details: {} } as const,
    title: `change ${site.version + 1}`,
  };
  return ledger.record({ site, at, history, holds: 'rules', meaning, dueAt: at + DAY });
}
