// One run of a scheduled audit: crawl, confirmation of failures, verdicts, report, and the comparison with the last run whose results
// count. A run that was interrupted continues.
import { join } from 'node:path';
import type { RunPoint } from '../../api/audits-api.ts';
import { crawlRun } from '../../audit/crawl-run.ts';
import { evaluateIfNeeded, evaluateRun } from '../../audit/evaluate-run.ts';
import { createPlan } from '../../audit/plan.ts';
import { type GroupedChanges, groupChanges } from '../../audit/report/compare/grouped-changes.ts';
import { createRunPoint, writeRunPoint } from '../../audit/report/trend/run-point.ts';
import { writeReports } from '../../audit/report/write-report.ts';
import { openRun } from '../../audit/run/open-run.ts';
import { RunError } from '../../audit/run/run-error.ts';
import type { RunStore } from '../../audit/run/run-store.ts';
import { getSettings, type RunEnd } from '../../audit/run/settings.ts';
import { formatDay, formatMinute } from '../../text/days.ts';
import type { Impact } from '../analysis/impact/impact-types.ts';
import { DEFAULT_CONFIRM } from '../site.ts';
import {
  getChangeImpacts,
  getFailureImpact,
  getFirstImpact,
  getRecoveryImpact,
  type ImpactContext,
} from './audit-impacts.ts';
import type { ClaimedAudit } from './audit-repository.ts';
import { findServerFailure, findSiteFailure } from './run-failure.ts';
import type { RunFolder } from './run-folder.ts';

export interface RunOptions {
  readonly folder: RunFolder;
  readonly userAgent: string;
  /** Milliseconds for one page. */
  readonly timeout: number;
  /** Whether private addresses may be connected to; by default only that of the start. */
  readonly allowPrivateAddresses?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Waits for a number of milliseconds, or until the signal is aborted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The folder of the built page of reports. */
  readonly pageFolder?: string;
}

/** The end of a run: interrupted, in use by another process, or with its events and why its results do not count. */
export type RunOutcome =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'ended'; readonly failure: string | null; readonly impacts: readonly Impact[] };

/** Begins or continues a run. @param name - of the run. @param startedAt - milliseconds since 1970. */
export async function runAudit(
  audit: ClaimedAudit,
  name: string,
  startedAt: number,
  options: RunOptions,
): Promise<RunOutcome> {
  const { folder } = options;
  const path = await folder.create(name);
  let run: RunStore;
  try {
    run = await openRun(path, folder.has(name) ? 'resume' : 'new');
  } catch (error) {
    if (error instanceof RunError && error.code === 'run-in-use') return { kind: 'busy' };
    throw error;
  }
  try {
    const end = await crawlAndConfirm(run, audit, startedAt, options);
    if (end.reason === 'interrupted') return { kind: 'interrupted' };
    await evaluateRun(run, options.now());
    return await conclude(run, end, audit, name, options);
  } finally {
    await run.close();
  }
}

/** Crawls, and requests failed pages again after a pause: a failure often lasts seconds, during a deployment for example. */
async function crawlAndConfirm(
  run: RunStore,
  { settings, site }: ClaimedAudit,
  startedAt: number,
  { userAgent, timeout, allowPrivateAddresses, signal, now, sleep }: RunOptions,
): Promise<RunEnd> {
  const options = {
    ...settings.plan,
    userAgent,
    timeout,
    ...(allowPrivateAddresses && { allowPrivateAddresses }),
  };
  const crawl = async (): Promise<RunEnd> => {
    const isNew = (await run.get('settings')) === undefined;
    const plan = createPlan(isNew ? [settings.start] : [], options);
    return crawlRun(
      run,
      { ...plan, settings: plan.settings && { ...plan.settings, startedAt } },
      { signal, now },
    );
  };
  const end = await crawl();
  const { confirm = DEFAULT_CONFIRM } = site;
  const isConfirmed = confirm === 0 || (await run.get(CONFIRMED)) === true;
  if (isConfirmed || !ENDS_WITH_FAILURES.includes(end.reason)) return end;
  if ((await run.countFailed()) === 0) return end;
  await sleep(confirm);
  if (signal.aborted) return { ...end, reason: 'interrupted' };
  await run.retryFailed();
  await run.set(CONFIRMED, true);
  return crawl();
}

/** The fact about a run that its failed pages were requested again. */
const CONFIRMED = 'confirmed';
/** Ends after which single pages can have failed. */
const ENDS_WITH_FAILURES: readonly RunEnd['reason'][] = ['complete', 'max-pages', 'sitemap-time'];

/** The comparison with an earlier run: its name, and the day on which it began. */
interface Comparison {
  readonly changes: GroupedChanges;
  readonly before: string;
  readonly since: string;
}

/** Earlier runs that are tried: one that is damaged must not hide changes since the one before it. */
const MAX_BASELINES = 3;

/** Compares a run with the last one whose results count; `null` for the first run, and the reason if no earlier run can be opened. */
async function compareWithBaseline(
  run: RunStore,
  name: string,
  { folder, now }: RunOptions,
): Promise<Comparison | string | null> {
  const { starts } = await getSettings(run);
  const earlier = await folder.findBaselines(starts.join(' '), name);
  let obstacle: string | null = null;
  for (const before of earlier.slice(0, MAX_BASELINES)) {
    let baseline: RunStore;
    try {
      // Not read only: it may have been continued since it was judged.
      baseline = await openRun(folder.getFile(before), 'resume');
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      obstacle ??= `It cannot be compared with ${before}: ${error.message}`;
      continue;
    }
    try {
      await evaluateIfNeeded(baseline, now());
      const { startedAt } = await getSettings(baseline);
      const changes = await groupChanges(baseline, run);
      changes.missing.write(run);
      const notes = obstacle === null ? changes.notes : [...changes.notes, obstacle];
      return { changes: { ...changes, notes }, before, since: formatSince(startedAt, now()) };
    } finally {
      await baseline.close();
    }
  }
  return obstacle;
}

/** Compares the run, and writes its report and its summary. */
async function conclude(
  run: RunStore,
  end: RunEnd,
  audit: ClaimedAudit,
  name: string,
  options: RunOptions,
): Promise<RunOutcome> {
  const { folder, pageFolder } = options;
  const { settings, site } = audit;
  const context: ImpactContext = { settings, site, run: name };
  let failure = await findSiteFailure(run, end);
  const result = failure === null ? await compareWithBaseline(run, name, options) : null;
  const [compared, obstacle] = typeof result === 'string' ? [null, result] : [result, null];
  if (compared !== null) failure = findServerFailure(compared.changes);
  const point = await createRunPoint(run, failure === null ? {} : { failure: toSentence(failure) });
  const impacts = getImpacts(point, failure, audit, context, compared, obstacle);
  const reported: RunPoint['changes'] = impacts.map(({ kind, severity, title }) => ({
    kind,
    severity,
    title,
  }));
  await writeReports(
    run,
    { html: join(folder.path, name) },
    { name: `${point.starts.join(' ')}, ${name}`, ...(pageFolder && { pageFolder }) },
  );
  // Last: a run with a summary has ended.
  const comparedWith = failure === null ? (compared?.before ?? null) : null;
  await writeRunPoint(folder.getSummary(name), { ...point, comparedWith, changes: reported });
  return { kind: 'ended', failure, impacts };
}

function getImpacts(
  point: RunPoint,
  failure: string | null,
  audit: ClaimedAudit,
  context: ImpactContext,
  compared: Comparison | null,
  obstacle: string | null,
): Impact[] {
  // One event at the beginning of a failure is enough.
  if (failure !== null) return audit.failure === null ? [getFailureImpact(failure, context)] : [];
  const recovery = audit.failure === null || compared === null ? [] : [getRecoveryImpact(point, context)];
  if (compared === null) return [getFirstImpact(point, context, obstacle)];
  const { changes, since, before } = compared;
  return [...getChangeImpacts(changes, { ...context, since, before }), ...recovery];
}

/** Formats the time of the earlier run: its day, and the time if that is today. */
function formatSince(time: number, now: number): string {
  const day = formatDay(time, now);
  return day === formatDay(now, now) ? formatMinute(time, now) : day;
}

/** Makes a sentence of the title of a failure. */
function toSentence(failure: string): string {
  return `Not complete: ${failure}.`;
}
