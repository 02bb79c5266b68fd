// The worker of scheduled audits: one audit at a time, beside the checks of robots.txt files. Any number of workers share a database; if
// they share the folder of runs, too, any of them continues what another one has begun.

import { truncate } from '@maycrawl/core/internal';
import { visible } from '../../text/printable.ts';
import { workWhenDue } from '../scheduled/work-when-due.ts';
import { RETRY_PAUSE } from '../storage/attempts.ts';
import { LEASE_TIME, renewWhile } from '../storage/rows.ts';
import type { EventRow } from '../storage/tables.ts';
import { getFailureImpact } from './audit-impacts.ts';
import type { AuditRepository, ClaimedAudit } from './audit-repository.ts';
import { type RunOptions, runAudit } from './run-audit.ts';
import { createRunName } from './run-folder.ts';
import { getNextAudit } from './schedule.ts';

export interface AuditWorkerOptions extends RunOptions {
  readonly repository: AuditRepository;
  /** How runs are made. @defaultValue runAudit: in this thread */
  readonly run?: typeof runAudit;
  /** Milliseconds after which a run is interrupted if another audit is due. @defaultValue an hour */
  readonly turnTime?: number;
  /** Whether it stops when no audit is due. */
  readonly once?: boolean;
  /** Receives each origin whose audit begins or continues, and its run. */
  readonly onStarted?: (origin: string, run: string) => void;
  /** Receives each origin whose audit ended, its run and the events. */
  readonly onEnded?: (origin: string, run: string, events: readonly EventRow[]) => void;
  /** Receives failures, after which the work continues. */
  readonly onError?: (what: string, error: unknown) => void;
}

/** Attempts at a run after which it is given up: each of them ended with the process, or with an error. */
const MAX_ATTEMPTS = 3;
/** Characters of an error in the title of an event. */
const MAX_ERROR = 200;
/** Milliseconds after which a run gives way to other audits. A site can be endless. */
const TURN_TIME = 3_600_000;

/** Works until the signal aborts; with `once`, until no audit is due. A run in progress is interrupted, and continues later. */
export async function workAudits(options: AuditWorkerOptions): Promise<void> {
  /** The last error of runs that did not end, by their names. */
  const errors = new Map<string, string>();
  await workWhenDue({
    ...options,
    work: (audit) => work(audit, options, errors),
    onFailure: (error) => options.onError?.('an audit could not begin', error),
  });
}

async function work(
  audit: ClaimedAudit,
  options: AuditWorkerOptions,
  errors: Map<string, string>,
): Promise<void> {
  const { repository, run = runAudit, onEnded, onError, now, folder, signal, turnTime = TURN_TIME } = options;
  const { origin, settings } = audit;
  const { name, startedAt, attempts } = getRun(audit, now());
  const renew = async (): Promise<void> => repository.renew(audit.owner);
  const turn = new AbortController();
  const endTurn = async (): Promise<void> => {
    const next = await repository.nextDue();
    if (next !== null && next <= now()) turn.abort(new Error('another audit is due'));
  };
  const timer = setInterval(
    () => void endTurn().catch((error: unknown) => onError?.('the database cannot be used', error)),
    turnTime,
  );
  await renewWhile(renew, async () => {
    try {
      if (!(await repository.recordAttempt(audit, name, startedAt, attempts + 1))) return;
      options.onStarted?.(origin, name);
      const outcome =
        attempts >= MAX_ATTEMPTS
          ? giveUp(audit, name, errors.get(name))
          : await run(audit, name, startedAt, { ...options, signal: AbortSignal.any([signal, turn.signal]) });
      if (outcome.kind === 'interrupted') {
        // After the audits that are due now.
        if (turn.signal.aborted) await repository.postpone(audit, now(), attempts);
        else await repository.release({ ...audit, attempts });
        return;
      }
      if (outcome.kind === 'busy') {
        // The process that has the run may finish it, so this is no failure.
        await repository.postpone(audit, now() + LEASE_TIME, attempts);
        return;
      }
      const { failure, impacts } = outcome;
      errors.delete(name);
      const at = now();
      const dueAt = getNextAudit(settings, startedAt, at);
      const events = await repository.record(audit, { at, run: name, failure, impacts, dueAt });
      onEnded?.(origin, name, events);
      await folder
        .prune(settings.start, settings.keepRuns)
        .catch((error: unknown) => onError?.(`old runs of ${origin} were not deleted`, error));
    } catch (error) {
      if (signal.aborted) {
        await repository.release({ ...audit, attempts });
        return;
      }
      onError?.(`the audit of ${origin} failed`, error);
      errors.set(name, describeError(error));
      await repository.postpone(audit, now() + RETRY_PAUSE, attempts + 1);
    } finally {
      clearInterval(timer);
    }
  });
}

/** Returns the run to continue, or a new one: after the interval, an old part of a run and a new one would not belong together. */
function getRun(
  { run, startedAt, attempts, settings }: ClaimedAudit,
  now: number,
): { readonly name: string; readonly startedAt: number; readonly attempts: number } {
  if (run !== null && startedAt !== null && now - startedAt < settings.every)
    return { name: run, startedAt, attempts };
  return { name: createRunName(settings.start, now), startedAt: now, attempts: 0 };
}

function giveUp(
  audit: ClaimedAudit,
  run: string,
  error: string | undefined,
): Extract<Awaited<ReturnType<typeof runAudit>>, { kind: 'ended' }> {
  const failure =
    error === undefined
      ? `${MAX_ATTEMPTS} attempts ended with the process or with an error; the log of the monitor names it`
      : `${MAX_ATTEMPTS} attempts failed, the last one with the error "${error}"`;
  const context = { settings: audit.settings, site: audit.site, run };
  return {
    kind: 'ended',
    failure,
    impacts: audit.failure === null ? [getFailureImpact(failure, context)] : [],
  };
}

/** Describes an error in one line. */
function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return visible(truncate(text.split('\n', 1)[0] ?? '', MAX_ERROR));
}
