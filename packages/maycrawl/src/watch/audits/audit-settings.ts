// How a site is audited on a schedule.

import { parseObject } from '@maycrawl/core/internal';
import type { PlanOptions } from '../../audit/plan.ts';
import { DamagedSiteError } from '../site.ts';
import { isTimeOfDay, isTimeZone, type Schedule } from './schedule.ts';

export interface AuditSettings extends Schedule {
  /** The URL to begin with. */
  readonly start: string;
  /** The options of the audit that differ from the defaults. */
  readonly plan: AuditPlanOptions;
  /** Fewer URLs with the same cause are not reported. */
  readonly alertUrls: number;
  /** Percent of the indexable URLs of a crawler: a change of as many is an `error`. */
  readonly errorShare: number;
  /** Number of runs that are kept. */
  readonly keepRuns: number;
}

/** The options of an audit that can be scheduled: those that are plain data without secrets. */
type AuditPlanOptions = Pick<
  PlanOptions,
  | 'agents'
  | 'scope'
  | 'maxPages'
  | 'maxDepth'
  | 'include'
  | 'exclude'
  | 'concurrency'
  | 'delay'
  | 'crawlDelay'
>;

/** The settings of scheduled audits in the database are damaged. */
export class DamagedAuditError extends DamagedSiteError {
  override readonly name = 'DamagedAuditError';

  /** @param origin - of the site. */
  constructor(origin: string) {
    super(origin, 'settings of its audits', 'set them again with watch audit');
  }
}

/** Reads settings from the database. Returns `null` if they are damaged. */
export function readAuditSettings(text: string): AuditSettings | null {
  const value = parseObject(text);
  if (value === undefined) return null;
  const settings = value as unknown as AuditSettings;
  const { every, at, timeZone, start, plan, alertUrls, errorShare, keepRuns } = settings;
  const isRight =
    [every, alertUrls, keepRuns].every((each) => Number.isSafeInteger(each) && each > 0) &&
    (at === undefined || isTimeOfDay(at)) &&
    (timeZone === undefined || isTimeZone(timeZone)) &&
    typeof start === 'string' &&
    typeof plan === 'object' &&
    plan !== null &&
    typeof errorShare === 'number';
  return isRight ? settings : null;
}
