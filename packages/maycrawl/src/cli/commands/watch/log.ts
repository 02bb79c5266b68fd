// `maycrawl watch status, log, show, diff`: the recorded events and versions.

import { parse } from '@maycrawl/core';
import { compareDeclarations } from '@maycrawl/core/preferences';
import { compareFiles } from '@maycrawl/core/proofs';
import { comparisonReport } from '../../../reports/comparison.ts';
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible, visibleLines } from '../../../text/printable.ts';
import { AuditRepository } from '../../../watch/audits/audit-repository.ts';
import { toEventReport } from '../../../watch/event-report.ts';
import { LogRepository } from '../../../watch/logs/log-repository.ts';
import { describeTarget } from '../../../watch/notifications/targets/target.ts';
import type { UndeliveredRow } from '../../../watch/storage/outbox.ts';
import type { SizedVersionRow } from '../../../watch/storage/report-queries.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { readFacts, readKind } from '../../../watch/storage/stored-rows.ts';
import type { EventRow, VersionRow } from '../../../watch/storage/tables.ts';
import { CommandError } from '../../output/errors.ts';
import { formatSeverity } from '../../output/findings.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { requireOrigin, withRepository } from './database.ts';
import type { DatabaseOptions, LogOptions } from './options.ts';

/** Maximum number of listed sites that are set aside, and of targets. */
const MAX_NAMED = 100;
/** Maximum number of undelivered messages of a site that `log` prints. */
const MAX_UNDELIVERED = 1_000;

/**
 * Prints the number of sites, of due checks and of messages, the failing targets, and the last events.
 *
 * @returns the exit code: 0, or 1 if a site is set aside or messages cannot be delivered.
 */
export async function showStatus(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (repository, outbox, database) => {
    const { sites, due, nextDue } = await repository.counts(Date.now());
    const { waiting, dropped } = await outbox.counts();
    const setAside = (await repository.sitesSetAside(MAX_NAMED)).map(({ origin, since }) => ({
      origin,
      since: formatTime(since),
    }));
    const next = formatTime(nextDue);
    const events = await repository.events(options.json ? 100 : 10);
    const failing = (await outbox.failingTargets(MAX_NAMED)).map(({ target, since, ...rest }) => ({
      target: describeTarget(target),
      since: formatTime(since),
      ...rest,
    }));
    const audits = (await new AuditRepository(database).list()).flatMap(({ origin, failure, last_at: at }) =>
      failure === null ? [] : { origin, at: formatTime(at), reason: failure },
    );
    const logs = (await new LogRepository(database).list()).flatMap(
      ({ origin, path, failure, last_at: at }) =>
        failure === null ? [] : { origin, path, at: formatTime(at), reason: failure },
    );
    const exitCode = setAside.length + failing.length + audits.length + logs.length > 0 ? 1 : 0;
    if (options.json) {
      printJson(
        {
          sites,
          due,
          nextDue: next,
          waiting,
          dropped,
          setAside,
          failing,
          audits,
          logs,
          events: events.map(toEventReport),
        },
        2,
      );
      return exitCode;
    }
    printLine(`${formatCount(sites, 'site')}, ${formatCount(due)} due, the next at ${next ?? '-'}`);
    printLine(`${formatCount(waiting, 'message')} to deliver, ${formatCount(dropped)} discarded`);
    for (const { target, since, alerts, reason } of failing)
      printLine(
        `not delivered to ${target} since ${since} (${formatCount(alerts, 'alert')}): ${visible(reason)}`,
      );
    for (const { origin, since } of setAside)
      printLine(`set aside since ${since}: ${visible(origin)} (watch log has the reason)`);
    for (const { origin, at, reason } of audits)
      printLine(`the audit at ${at} could not finish: ${visible(origin)}: ${visible(reason)}`);
    for (const { origin, at, path, reason } of logs)
      printLine(
        `the access log at ${at} is incomplete: ${visible(origin)}: ${visible(path)}: ${visible(reason)}`,
      );
    for (const event of events) process.stdout.write(formatEvent(event));
    return exitCode;
  });
}

/** Prints the events of a site, the newest first. @returns the exit code: 0, or 1 if there are none. */
export async function showLog(site: string, options: LogOptions): Promise<number> {
  return withRepository(options, async (repository, outbox) => {
    const origin = await requireOrigin(repository, site);
    const events = await repository.events(options.limit, origin);
    const undelivered = await outbox.undelivered(origin, MAX_UNDELIVERED);
    for (const event of events) {
      if (options.json) printJson(toEventReport(event));
      else {
        process.stdout.write(formatEvent(event));
        for (const line of event.text.split('\n').filter((each) => each !== ''))
          printLine(`    ${visible(line)}`);
        for (const row of undelivered.filter((each) => each.event === event.id))
          printLine(`    ${formatUndelivered(row)}`);
      }
    }
    return events.length > 0 ? 0 : 1;
  });
}

/** Prints a version of a file, or why there was none. @returns the exit code, 0. */
export async function showVersion(name: string, options: DatabaseOptions): Promise<number> {
  const { site, numbers } = parseVersions(name, 1);
  return withRepository(options, async (repository) => {
    const origin = await requireOrigin(repository, site);
    const version = requireVersion(await repository.versions(origin), numbers[0], origin);
    const content = await getContent(repository, version);
    if (options.json) {
      const text = content === undefined ? null : Buffer.from(content).toString();
      printJson({ ...describe(version), content: text }, 2);
    } else if (content !== undefined) process.stdout.write(visibleLines(content));
    else printLine(`${readKind(version.kind)}: ${visible(String(readFacts(version)['message'] ?? ''))}`);
    return 0;
  });
}

/** Prints the changes from one version to another. @returns the exit code: 0 for no change, 1 for a change, 2 if undecided. */
export async function diffVersions(name: string, options: DatabaseOptions): Promise<number> {
  const { site, numbers } = parseVersions(name, 2);
  return withRepository(options, async (repository) => {
    const origin = await requireOrigin(repository, site);
    const versions = await repository.versions(origin);
    const [before, after] = await Promise.all(
      numbers.map(async (number) => {
        const version = requireVersion(versions, number, origin);
        if (version.kind === 'unreachable')
          throw new CommandError(`version ${number} has no file: the site was unreachable`);
        return parse((await getContent(repository, version)) ?? '');
      }),
    );
    if (before === undefined || after === undefined) throw new CommandError('give two versions: SITE@1..2');
    const comparison = compareFiles(before, after);
    const declarations = compareDeclarations(before, after);
    if (options.json) printJson(comparisonReport(comparison, { declarations }), 2);
    else {
      const { printComparison } = await import('../diff/diff.ts');
      const { printDeclarations } = await import('../diff/declarations.ts');
      await printComparison(comparison);
      await printDeclarations(declarations);
    }
    if (comparison.equivalent === null) return 2;
    return comparison.equivalent ? 0 : 1;
  });
}

/** Parses `SITE@3` or `SITE@1..3`. @throws {CommandError} if it is neither. */
function parseVersions(
  name: string,
  count: 1 | 2,
): { readonly site: string; readonly numbers: readonly number[] } {
  const match = count === 1 ? /^(.+)@(\d{1,9})$/.exec(name) : /^(.+)@(\d{1,9})\.\.(\d{1,9})$/.exec(name);
  if (match === null)
    throw new CommandError(
      `give ${count === 1 ? 'SITE@VERSION' : 'SITE@VERSION..VERSION'}, not ${visible(name)}`,
    );
  return { site: match[1] as string, numbers: match.slice(2).map(Number) };
}

/** Finds a version. @throws {CommandError} if it does not exist. */
function requireVersion(
  versions: readonly SizedVersionRow[],
  number: number | undefined,
  origin: string,
): SizedVersionRow {
  const version = versions.find((each) => each.number === number);
  if (version !== undefined) return version;
  const last = versions[0]?.number ?? 0;
  if (number !== undefined && number >= 1 && number < last) throw createDeletedError(origin, number);
  throw new CommandError(`${visible(origin)} has no version ${number}; the last one is ${last}`);
}

/** Returns the file; `undefined` if the version has none. @throws {CommandError} if it has been deleted meanwhile. */
async function getContent(
  repository: SiteRepository,
  { origin, number, hash }: VersionRow,
): Promise<Uint8Array | undefined> {
  if (hash === null) return undefined;
  const content = await repository.content(hash);
  if (content === undefined) throw createDeletedError(origin, number);
  return content;
}

function createDeletedError(origin: string, number: number): CommandError {
  return new CommandError(
    `version ${number} of ${visible(origin)} was deleted because of its age (watch prune)`,
  );
}

function describe(version: SizedVersionRow): object {
  const { origin, number, kind, hash, first_seen, last_seen, checks, same_as } = version;
  const sameAs = same_as === number ? null : same_as;
  const times = { firstSeen: formatTime(first_seen), lastSeen: formatTime(last_seen) };
  return { origin, number, kind: readKind(kind), hash, sameAs, ...times, checks, ...readFacts(version) };
}

/** Describes a message that was not delivered, with the reason. */
function formatUndelivered({ target, error, attempts, next_at, dropped_at }: UndeliveredRow): string {
  const reason = error === null ? '' : `: ${visible(error)}`;
  const state =
    dropped_at === null
      ? `next attempt ${formatTime(next_at) ?? '-'}`
      : `given up ${formatTime(dropped_at) ?? '-'}`;
  return `not delivered to ${describeTarget(target)} (${formatCount(attempts, 'attempt')}, ${state})${reason}`;
}

function formatEvent({ at, severity, title }: EventRow): string {
  return `${formatTime(at) ?? '-'}  ${formatSeverity(severity, 8)}  ${visible(title)}\n`;
}
