/**
 * `maycrawl watch status, log, show, diff`: what was seen, and what it meant.
 *
 * @module
 */

import { parse } from '@maycrawl/core';
import { compareFiles } from '@maycrawl/core/proofs';
import { comparisonReport } from '../../../reports/comparison.ts';
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { toEventReport } from '../../../watch/event-report.ts';
import { describeTarget } from '../../../watch/notifications/targets/target.ts';
import type { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { readFacts, readKind } from '../../../watch/storage/stored-rows.ts';
import type { EventRow, VersionRow } from '../../../watch/storage/tables.ts';
import { parseOrigin } from '../../input/origin.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { getColors } from '../../output/terminal.ts';
import { type DatabaseOptions, withRepository } from './database.ts';

/** The largest number of sites that are set aside, and of targets, that are listed. */
const MAX_NAMED = 100;

export interface LogOptions extends DatabaseOptions {
  readonly limit: number;
}

/**
 * How many sites there are, what is due, what is still to be told, what cannot be delivered, and what happened last.
 *
 * @returns the exit code: 0, or 1 if a site is set aside or messages cannot be delivered.
 */
export async function showStatus(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (repository, outbox) => {
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
    const exitCode = setAside.length + failing.length > 0 ? 1 : 0;
    if (options.json) {
      printJson(
        { sites, due, nextDue: next, waiting, dropped, setAside, failing, events: events.map(toEventReport) },
        2,
      );
      return exitCode;
    }
    printLine(`${sites} sites, ${due} due, the next at ${next ?? '-'}`);
    printLine(`${waiting} messages to deliver, ${dropped} given up`);
    for (const { target, since, alerts, reason } of failing)
      printLine(
        `not delivered to ${target} since ${since} (${formatCount(alerts, 'alert')}): ${visible(reason)}`,
      );
    for (const { origin, since } of setAside)
      printLine(`set aside since ${since}: ${visible(origin)} (watch log has the reason)`);
    for (const event of events) process.stdout.write(formatEvent(event));
    return exitCode;
  });
}

/** What happened to a site, the newest first. @returns the exit code: 0, or 1 if nothing happened. */
export async function showLog(site: string, options: LogOptions): Promise<number> {
  return withRepository(options, async (repository) => {
    const origin = await watchedOrigin(repository, site);
    const events = await repository.events(options.limit, origin);
    for (const event of events) {
      if (options.json) printJson(toEventReport(event));
      else {
        process.stdout.write(formatEvent(event));
        for (const line of event.text.split('\n').filter((each) => each !== ''))
          printLine(`    ${visible(line)}`);
      }
    }
    return events.length > 0 ? 0 : 1;
  });
}

/** A version of a site's file: as it was, or why there was none. @returns the exit code, 0. */
export async function showVersion(name: string, options: DatabaseOptions): Promise<number> {
  const { site, numbers } = parseVersions(name, 1);
  return withRepository(options, async (repository) => {
    const origin = await watchedOrigin(repository, site);
    const version = pick(await repository.versions(origin), numbers[0], origin);
    const content = await getContent(repository, version);
    if (options.json) {
      const text = content === undefined ? null : Buffer.from(content).toString();
      printJson({ ...describe(version), content: text }, 2);
    } else if (content !== undefined) {
      const lines = Buffer.from(content)
        .toString()
        .split(/\r\n|\r|\n/);
      process.stdout.write(lines.map(visible).join('\n'));
    } else printLine(`${readKind(version.kind)}: ${visible(String(readFacts(version)['message'] ?? ''))}`);
    return 0;
  });
}

/** What changed from one version to another. @returns the exit code: 0 nothing, 1 something, 2 not decided. */
export async function diffVersions(name: string, options: DatabaseOptions): Promise<number> {
  const { site, numbers } = parseVersions(name, 2);
  return withRepository(options, async (repository) => {
    const origin = await watchedOrigin(repository, site);
    const versions = await repository.versions(origin);
    const [before, after] = await Promise.all(
      numbers.map(async (number) => {
        const version = pick(versions, number, origin);
        if (version.kind === 'unreachable')
          throw new CommandError(`version ${number} is no file: the site was unreachable`);
        return parse((await getContent(repository, version)) ?? '');
      }),
    );
    if (before === undefined || after === undefined) throw new CommandError('name two versions: SITE@1..2');
    const comparison = compareFiles(before, after);
    if (options.json) printJson(comparisonReport(comparison), 2);
    else {
      const { printComparison } = await import('../diff/diff.ts');
      await printComparison(comparison);
    }
    if (comparison.equivalent === null) return 2;
    return comparison.equivalent ? 0 : 1;
  });
}

/** `SITE@3` or `SITE@1..3`. @throws {CommandError} if it is not. */
function parseVersions(
  name: string,
  count: 1 | 2,
): { readonly site: string; readonly numbers: readonly number[] } {
  const match = count === 1 ? /^(.+)@(\d{1,9})$/.exec(name) : /^(.+)@(\d{1,9})\.\.(\d{1,9})$/.exec(name);
  if (match === null)
    throw new CommandError(
      `write ${count === 1 ? 'SITE@VERSION' : 'SITE@VERSION..VERSION'}, not ${visible(name)}`,
    );
  return { site: match[1] as string, numbers: match.slice(2).map(Number) };
}

/** @throws {CommandError} if it is not watched. */
async function watchedOrigin(repository: SiteRepository, site: string): Promise<string> {
  const origin = parseOrigin(site);
  if ((await repository.site(origin)) !== undefined) return origin;
  throw new CommandError(`${visible(origin)} is not watched; maycrawl watch list tells which sites are`);
}

/** @throws {CommandError} if it is not there. */
function pick(versions: readonly VersionRow[], number: number | undefined, origin: string): VersionRow {
  const version = versions.find((each) => each.number === number);
  if (version !== undefined) return version;
  const last = versions[0]?.number ?? 0;
  if (number !== undefined && number >= 1 && number < last) throw deleted(origin, number);
  throw new CommandError(`${visible(origin)} has no version ${number}; the last is ${last}`);
}

/** The file; `undefined` if the version is none. @throws {CommandError} if it was deleted just now. */
async function getContent(
  repository: SiteRepository,
  { origin, number, hash }: VersionRow,
): Promise<Uint8Array | undefined> {
  if (hash === null) return undefined;
  const content = await repository.content(hash);
  if (content === undefined) throw deleted(origin, number);
  return content;
}

function deleted(origin: string, number: number): CommandError {
  return new CommandError(
    `version ${number} of ${visible(origin)} was deleted, since it was old (watch prune)`,
  );
}

function describe(version: VersionRow): object {
  const { origin, number, kind, hash, first_seen, last_seen, checks } = version;
  const times = { firstSeen: formatTime(first_seen), lastSeen: formatTime(last_seen) };
  return { origin, number, kind: readKind(kind), hash, ...times, checks, ...readFacts(version) };
}

function formatEvent({ at, severity, title }: EventRow): string {
  const { red, yellow, dim } = getColors(process.stdout);
  const paint = { error: red, warning: yellow, info: dim }[severity] ?? dim;
  return `${formatTime(at) ?? '-'}  ${paint(severity.padEnd(8))}  ${visible(title)}\n`;
}
