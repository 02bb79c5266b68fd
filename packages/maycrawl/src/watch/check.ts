/**
 * One check of one site: what it answers now, and what that means.
 *
 * @module
 */
import { resolveAgent } from '@maycrawl/core';
import { ask, type Fetcher } from '../client/asking.ts';
import { changeBy } from '../client/fail-safe-store.ts';
import { parseExpectations } from '../expectations/expectations.ts';
import { createAddressPolicy } from '../http/address-policy.ts';
import type { Concerns } from './aspects.ts';
import type { Ledger } from './ledger.ts';
import { holdsAt, meaningOf } from './meaning.ts';
import type { CheckResult, ClaimedSite } from './recording.ts';
import type { KeptText } from './site.ts';

/** How sites are asked. */
export interface CheckOptions {
  readonly userAgent: string;
  /** As for `fetchRobotsTxt`: omitted, the watched origin itself may be on a private address. */
  readonly allowPrivate?: boolean | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly fetcher: Fetcher;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Checks of one site come this much earlier or later than they would, so that they do not all come at once. */
const JITTER = 0.05;

/** @throws the signal's reason if it is aborted. */
export async function check(site: ClaimedSite, ledger: Ledger, options: CheckOptions): Promise<CheckResult> {
  const { origin, settings, history, holds } = site;
  const { fetcher, now, allowPrivate, ...asking } = options;
  const addressPolicy = createAddressPolicy({ allowPrivate, openOrigins: [origin] });
  const mayFollow = async (): Promise<boolean> => true;
  const { news } = await ask(origin, history.answer, fetcher, { ...asking, addressPolicy, mayFollow }, now);
  const at = now();
  const after = changeBy(news)(history)?.history ?? history;
  const situation = { history: after, holds: holdsAt(after, at) };
  const isChanged =
    after.outage !== null || history.outage !== null || after.answer?.fetchedAt !== history.answer?.fetchedAt;
  const meaning = isChanged
    ? meaningOf({ history, holds }, situation, await concernsOf(site, ledger), at)
    : undefined;
  const dueAt = at + Math.round(settings.every * (1 + JITTER * (2 * phaseOf(origin, site.checks) - 1)));
  return { site, at, ...situation, meaning, dueAt };
}

/** What matters to the owner, read when there is something to say. */
async function concernsOf({ origin, settings }: ClaimedSite, ledger: Ledger): Promise<Concerns> {
  const textOf = async (kept: KeptText | undefined): Promise<string> =>
    kept === undefined ? '' : Buffer.from((await ledger.content(kept.hash)) ?? []).toString();
  const lines = (await textOf(settings.urls)).split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const tests = await textOf(settings.tests);
  const expectations = tests === '' ? [] : await parseExpectations(tests, resolveAgent);
  return { origin, settings, urls, expectations };
}

/** A number from 0 to 1 that differs from site to site and from check to check, and is the same in every run. */
function phaseOf(origin: string, checks: number): number {
  let hash = 0x811c9dc5 ^ checks;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
}
