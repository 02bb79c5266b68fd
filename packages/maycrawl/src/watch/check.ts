// One check of one site: its response, and the impact of the change.

import {
  createAddressPolicy,
  createChange,
  type Fetcher,
  fetchOrigin,
  getJitter,
  mayFollowRedirect,
  requestHome,
} from '@maycrawl/client/internal';
import { parse, type RobotsTxt } from '@maycrawl/core';
import { type Analyse, AnalysisError } from './analysis/analysis-threads.ts';
import { type EarlierVersions, NO_VERSIONS } from './analysis/earlier-versions.ts';
import { getImpact } from './analysis/impact/impact.ts';
import {
  getPolicyAt,
  hasChanged,
  needsAnalysis,
  needsSiteCheck,
  type SiteState,
} from './analysis/site-state.ts';
import {
  getRecentSiteCheck,
  getUnconfirmed,
  type SiteCheck,
  type UnconfirmedFailure,
  withUnconfirmed,
} from './confirmation.ts';
import { DEFAULT_CONFIRM, type SiteSettings, type StoredText } from './site.ts';
import {
  describeSetAside,
  getNextAttempt,
  getResponseName,
  isExhausted,
  recordAttempt,
  SET_ASIDE_PAUSE,
  withdrawAttempt,
} from './storage/attempts.ts';
import { readEarlierVersions } from './storage/earlier-versions.ts';
import type { CheckResult, ClaimedSite, SetAsideResult } from './storage/recording.ts';
import type { SiteRepository } from './storage/site-repository.ts';

/** How sites are fetched and analysed. */
export interface CheckOptions {
  readonly userAgent: string;
  /**
   * Whether sites may be on private addresses.
   *
   * @defaultValue only sites that the operator named on the command line, each on its own origin
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly fetcher: Fetcher;
  /** Computes the impact of a change (analysis-threads.ts). */
  readonly analyse: Analyse;
  readonly signal: AbortSignal;
  /**
   * Waits before a failure is checked again in the same call.
   *
   * @defaultValue the failure is confirmed by the next check of the site, soon
   */
  readonly waitToConfirm?: (() => Promise<void>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The part of the interval by which a check is earlier or later, so that checks of many sites are spread. */
const JITTER = 0.05;

export type CheckOutcome =
  | { readonly kind: 'checked'; readonly result: CheckResult }
  /** Its analysis was ended: the site is due again at that time. Without a reason, a site that is set aside stays so. */
  | { readonly kind: 'postponed'; readonly dueAt: number; readonly reason?: string }
  /** It fails, which the next check must confirm before it is reported. */
  | { readonly kind: 'unconfirmed'; readonly failure: UnconfirmedFailure; readonly dueAt: number }
  /** Its analysis was ended too often. */
  | { readonly kind: 'set-aside'; readonly result: SetAsideResult }
  /** Another worker has claimed the site meanwhile. */
  | { readonly kind: 'lost' };

/** @throws the signal's reason if it is aborted. */
export async function check(
  site: ClaimedSite,
  repository: SiteRepository,
  options: CheckOptions,
): Promise<CheckOutcome> {
  const { waitToConfirm, ...others } = options;
  const outcome = await checkOnce(site, repository, others);
  if (outcome.kind !== 'unconfirmed' || waitToConfirm === undefined) return outcome;
  await waitToConfirm();
  return checkOnce({ ...site, unconfirmed: outcome.failure }, repository, others);
}

async function checkOnce(
  site: ClaimedSite,
  repository: SiteRepository,
  options: CheckOptions,
): Promise<CheckOutcome> {
  const { origin, settings, history, policy } = site;
  const { every, confirm = DEFAULT_CONFIRM } = settings;
  const { fetcher, now, allowPrivateAddresses, userAgent, timeout, signal } = options;
  const requestOptions = { userAgent, timeout, signal };
  if (isExhausted(site))
    return setAside(site, 'the process ended during the analysis', site.attemptedResponse, null, now());
  const openOrigins = settings.isOriginOpen === true ? [origin] : [];
  const addressPolicy = createAddressPolicy({ allowPrivateAddresses, openOrigins });
  const mayFollow = (url: string): Promise<boolean> =>
    mayFollowRedirect(url, (target) => getTargetRobots(target, site, options));
  const observation = await fetchOrigin(
    origin,
    history.response,
    fetcher,
    { ...requestOptions, addressPolicy, mayFollow },
    now,
  );
  const at = now();
  const observed = createChange(observation)(history)?.history ?? history;
  const after = withUnconfirmed(observed, history, site.unconfirmed, at, every);
  if (site.setAsideAt !== null && getResponseName(after) === site.attemptedResponse)
    return { kind: 'postponed', dueAt: at + SET_ASIDE_PAUSE };
  const siteCheck = needsSiteCheck(after, at)
    ? await checkSite(
        site,
        at,
        () => requestHome(origin, fetcher, { ...requestOptions, addressPolicy }),
        options,
      )
    : null;
  const isSiteReachable = siteCheck?.isReachable;
  const situation = { history: after, policy: getPolicyAt(after, at, isSiteReachable), isSiteReachable };
  const before = { history, policy };
  const failure = confirm === 0 ? undefined : getUnconfirmed(before, situation, at, site.unconfirmed, every);
  if (failure !== undefined) return { kind: 'unconfirmed', failure, dueAt: at + Math.min(confirm, every) };
  const dueAt = at + Math.round(every * (1 + JITTER * (2 * getJitter(origin, site.checks) - 1)));
  const { response, outage } = after;
  const file = outage === null && response?.kind === 'successful' ? response.bytes : null;
  const earlier = hasChanged(before, situation)
    ? await readEarlierVersions(repository.database, origin, file)
    : NO_VERSIONS;
  const change = { before, after: situation, earlier, siteCheck, at, dueAt };
  if (needsAnalysis(before, situation)) return analyseChange(site, repository, options, change);
  const impact = getImpact(before, situation, { origin, settings, urls: [], expectations: [] }, at, earlier);
  return {
    kind: 'checked',
    result: { site, at, history: after, policy: situation.policy, impact, siteCheck, dueAt },
  };
}

/** Returns the rules of the site to which the robots.txt of another one redirects; `null` if there are none. */
async function getTargetRobots(
  target: string,
  { origin }: ClaimedSite,
  { fetcher, now, allowPrivateAddresses, userAgent, timeout, signal }: CheckOptions,
): Promise<RobotsTxt | null> {
  // Its rules are those being fetched. The last ones, if they disallow the target, would make each second file seem to be missing.
  if (target === origin) return null;
  const addressPolicy = createAddressPolicy({ allowPrivateAddresses, openOrigins: [] });
  const request = { userAgent, timeout, signal, addressPolicy, mayFollow: async () => false };
  const observation = await fetchOrigin(target, null, fetcher, request, now);
  const found = 'response' in observation ? observation.response : null;
  return found?.kind === 'successful' ? parse(found.bytes) : null;
}

/**
 * Finds out whether the site is otherwise reachable, by a request that is repeated once a day.
 *
 * @returns `null` if this machine cannot find out.
 */
async function checkSite(
  { siteCheck }: ClaimedSite,
  at: number,
  request: () => Promise<boolean>,
  { signal }: CheckOptions,
): Promise<SiteCheck | null> {
  if (getRecentSiteCheck(siteCheck, at) !== undefined) return siteCheck;
  try {
    return { at, isReachable: await request() };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

interface StateChange {
  readonly before: SiteState;
  readonly after: SiteState;
  readonly earlier: EarlierVersions;
  readonly siteCheck: SiteCheck | null;
  readonly at: number;
  readonly dueAt: number;
}

/** Computes the impact of a change, in a thread that may have to be ended. */
async function analyseChange(
  site: ClaimedSite,
  repository: SiteRepository,
  { analyse, signal, now }: CheckOptions,
  { before, after, earlier, siteCheck, at, dueAt }: StateChange,
): Promise<CheckOutcome> {
  const { origin, settings } = site;
  const response = getResponseName(after.history);
  const task = {
    origin,
    settings,
    before,
    after,
    earlier,
    now: at,
    ...(await readTexts(settings, repository)),
  };
  let attempts: number | undefined;
  const onStart = async (): Promise<void> => {
    attempts = await recordAttempt(repository.database, site, response);
    if (attempts === undefined) throw new LostSiteError('another worker has claimed the site');
  };
  try {
    const impact = await analyse(task, { signal, isAlone: site.attempts > 0, onStart });
    return { kind: 'checked', result: { site, at, ...after, impact, siteCheck, dueAt } };
  } catch (error) {
    if (error instanceof LostSiteError) return { kind: 'lost' };
    if (!(error instanceof AnalysisError)) {
      if (attempts !== undefined) await withdrawAttempt(repository.database, site);
      throw error;
    }
    const next = getNextAttempt(attempts ?? 0, settings.every, now());
    if (next !== undefined) return { kind: 'postponed', dueAt: next, reason: error.message };
    const size = after.history.outage === null ? (after.history.response?.bytes.length ?? null) : null;
    return setAside(site, error.message, response, size, now());
  }
}

/** Another worker has claimed the site. */
class LostSiteError extends Error {
  override readonly name = 'LostSiteError';
}

function setAside(
  site: ClaimedSite,
  reason: string,
  response: string | null,
  size: number | null,
  at: number,
): CheckOutcome {
  const impact = describeSetAside(site.settings, reason, response, size);
  return { kind: 'set-aside', result: { site, at, impact, dueAt: at + SET_ASIDE_PAUSE } };
}

/** Reads the owner's URLs and tests. */
async function readTexts(
  { urls, tests }: SiteSettings,
  repository: SiteRepository,
): Promise<{ readonly urls: string; readonly tests: string }> {
  const read = async (text: StoredText | undefined): Promise<string> => {
    if (text === undefined) return '';
    const content = await repository.content(text.hash);
    // Without it the check would report no impact.
    if (content === undefined)
      throw new Error(`${text.name} is no longer in the database: set it again with watch add`);
    return Buffer.from(content).toString();
  };
  return { urls: await read(urls), tests: await read(tests) };
}
