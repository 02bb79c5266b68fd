// The events of a site, and the notifications about them.
import { randomUUID } from 'node:crypto';
import { type SqlConnection, sql } from '@maycrawl/client/internal';
import { isAtLeast } from '../../reports/severities.ts';
import type { Impact } from '../analysis/impact/impact-types.ts';
import { isQuiet, type SiteSettings } from '../site.ts';
import { insertInto } from './rows.ts';
import type { SealedTargets } from './sealed-targets.ts';
import type { EventRow, SiteRow } from './tables.ts';

/**
 * Records events of a site that come from something else than its checks, such as an audit. They are not throttled.
 *
 * @returns the events; none if the site is no longer monitored.
 */
export async function recordImpacts(
  transaction: SqlConnection,
  targets: SealedTargets,
  {
    origin,
    at,
    impacts,
  }: { readonly origin: string; readonly at: number; readonly impacts: readonly Impact[] },
): Promise<EventRow[]> {
  const site = await readSettings(transaction, origin);
  if (site === undefined) return [];
  const settings = targets.parseSettings(site);
  const events = impacts.map((impact) => ({
    ...toEvent({ origin }, at, impact, site.version),
    throttled: 0,
  }));
  for (const event of events) await insertEvent(transaction, settings, event, targets);
  return events;
}

/** Reads the settings of a monitored site as they are stored. */
export function readSettings(
  transaction: SqlConnection,
  origin: string,
): Promise<Pick<SiteRow, 'origin' | 'settings' | 'version'> | undefined> {
  return transaction.get(sql`select origin, settings, version from watch_sites where origin = ${origin}`);
}

/** Inserts an event, and a notification for each target that wants it. */
export async function insertEvent(
  transaction: SqlConnection,
  { notify, notifyFrom = {}, openTargets }: SiteSettings,
  event: EventRow,
  sealed: SealedTargets,
): Promise<void> {
  await transaction.run(insertInto('watch_events', [event]));
  const isWanted = (target: string): boolean => isAtLeast(event.severity, notifyFrom[target] ?? 'info');
  const targets = event.throttled === 1 || isQuiet(event) ? [] : [...new Set(notify)].filter(isWanted);
  if (targets.length > 0)
    await transaction.run(
      insertInto(
        'watch_outbox',
        targets.map((target) => ({
          ...{ event: event.id, target: sealed.seal(target), next_at: event.at, attempts: 0 },
          is_open: openTargets?.includes(target) ? 1 : 0,
        })),
      ),
    );
}

/** Creates the row of an event. @param at - milliseconds since 1970. @param version - of the site. */
export function toEvent(
  { origin }: { readonly origin: string },
  at: number,
  { kind, severity, title, text, details }: Impact,
  version: number,
): Omit<EventRow, 'throttled'> {
  return {
    ...{ id: randomUUID(), origin, version, at, kind, severity },
    title: withoutNul(`${origin}: ${title}`),
    text: withoutNul(text),
    details: JSON.stringify(details),
  };
}

/** Replaces NUL, which URLs and tests of the owner may contain and PostgreSQL refuses. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\\x00');
}
