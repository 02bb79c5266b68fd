// Counts the allowed URLs of an owner over time: by the rules of each version, and by the policies of missing files and outages.

import type { CachedResponse, OriginHistory, Outage, UnconditionalResult } from '@maycrawl/client';
import { NO_HEADERS } from '@maycrawl/client/internal';
import {
  GOOGLE,
  getPolicyCode,
  type PolicySummary,
  parse,
  type RobotsTxt,
  resolveAgent,
} from '@maycrawl/core';
import { listCrawlers, type NamedCrawler } from '@maycrawl/core/proofs';
import type { WatchJson } from '../../api/watch-api.ts';
import { readUrlLines } from '../../lines/url-lines.ts';
import { getCrawlerName } from '../../text/crawler-names.ts';
import { getPolicyAt } from '../../watch/analysis/site-state.ts';

/** A version of a site, and its time. */
export interface TimedVersion {
  readonly number: number;
  readonly kind: UnconditionalResult['kind'];
  readonly status: number | null;
  readonly code: string | null;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** The start of the next version, or now. */
  readonly until: number;
  /** The end of the response's freshness; `null` without a response. */
  readonly staleAt: number | null;
  readonly hash: string | null;
  /** `null` without a file. */
  readonly file: Uint8Array | null;
}

export interface UrlsTask {
  readonly origin: string;
  /** One URL per line. */
  readonly urls: string;
  /** Crawlers; if empty, {@link DEFAULT_AGENTS}. */
  readonly agents: readonly string[];
  /** The oldest first. */
  readonly versions: readonly TimedVersion[];
  /** The version before the first one; `null` if there is none. */
  readonly before: TimedVersion | null;
}

/** Crawlers if the owner names none. */
const DEFAULT_AGENTS = ['Googlebot', 'bingbot', 'GPTBot'];
/** More crawlers are not counted. */
const MAX_AGENTS = 8;
/** The largest number of decisions, which takes some seconds; further URLs are not counted. */
const MAX_DECISIONS = 3_000_000;

/** Counts allowed URLs. It can take seconds. */
export function countUrlsOverTime({
  origin,
  urls,
  agents,
  versions,
  before,
}: UrlsTask): WatchJson<'UrlCounts'> {
  const files = new Map<string, RobotsTxt>();
  for (const { hash, file } of before === null ? versions : [before, ...versions])
    if (hash !== null && file !== null) files.set(hash, parse(file, { url: `${origin}/robots.txt` }));
  const crawlers = getCrawlers(agents, [...files.values()]);
  const anyRuleset = parse('', { url: `${origin}/robots.txt` }).ruleset('none');
  const own = readUrlLines(urls).filter((url) => anyRuleset.decide(url).kind !== 'out-of-scope');
  const most = Math.floor(MAX_DECISIONS / Math.max(1, crawlers.length * files.size));
  const counted = own.slice(0, most);
  const counts = new Map<string, readonly number[]>();
  for (const [hash, file] of files)
    counts.set(
      hash,
      crawlers.map(({ crawler }) => {
        const ruleset = file.ruleset(crawler);
        return counted.filter((url) => ruleset.decide(url).kind === 'allowed').length;
      }),
    );
  const steps: WatchJson<'UrlStep'>[] = [];
  let good = before?.kind === 'unreachable' ? null : before;
  for (const version of versions) {
    const { number, kind, hash } = version;
    if (kind !== 'unreachable') good = version;
    for (const { at, policy } of getPolicies(version, kind === 'unreachable' ? good : version)) {
      const last = hash ?? good?.hash ?? null;
      const byFile = last === null ? undefined : counts.get(last);
      const all = policy.kind === 'disallow-all' || policy.kind === 'unknown' ? 0 : counted.length;
      const allowed = policy.kind === 'rules' && byFile ? byFile : crawlers.map(() => all);
      steps.push({ at, version: number, policy, allowed });
    }
  }
  const names = crawlers.map(({ name }) => getCrawlerName(name));
  return { total: own.length, counted: counted.length, agents: names, steps };
}

function getCrawlers(agents: readonly string[], files: readonly RobotsTxt[]): NamedCrawler[] {
  const [other] = listCrawlers(files);
  const named = (agents.length === 0 ? DEFAULT_AGENTS : agents).slice(0, MAX_AGENTS).map(resolveAgent);
  return agents.length > 0 || other === undefined ? named : [...named, other];
}

interface PolicyStep {
  readonly at: number;
  readonly policy: PolicySummary;
}

/** The policies while a version was there: one, or those of the phases of an outage. */
function getPolicies(version: TimedVersion, good: TimedVersion | null): PolicyStep[] {
  const { from, until } = version;
  const history = toHistory(version, good);
  const { response } = history;
  if (history.outage === null) return [{ at: from, policy: getPolicyAt(history, from) }];
  const phases = GOOGLE.outage.phases.map((phase) => from + phase.from);
  const times = [...phases, Math.max(from, response?.staleAt ?? from)].sort((a, b) => a - b);
  const steps: PolicyStep[] = [];
  for (const at of times.filter((each) => each < until || each === from)) {
    const policy = getPolicyAt(history, at);
    const last = steps.at(-1)?.policy;
    if (last === undefined || getPolicyCode(last) !== getPolicyCode(policy)) steps.push({ at, policy });
  }
  return steps;
}

/** The history of a site at the start of a version. @param good - the last version that was a response. */
function toHistory({ kind, from, status, code }: TimedVersion, good: TimedVersion | null): OriginHistory {
  const trace = { hops: [], timings: { total: 0 }, status };
  const outage: Outage = {
    ...{ ...trace, message: '', since: from, lastAt: from, failures: 1, retryAt: null, saysNotFound: false },
    // Versions have no classes of failures: the last one may be the first that is part of an outage.
    startsAfter: { tooManyRequests: from, notFound: from },
    code: (code ?? 'http-status') as Outage['code'],
  };
  const response: CachedResponse | null =
    good === null || good.kind === 'unreachable'
      ? null
      : {
          ...{ ...trace, kind: good.kind, code: null, message: null },
          ...{ headers: NO_HEADERS, bytes: new Uint8Array() },
          ...{ fetchedAt: good.from, staleAt: good.staleAt ?? good.from },
        };
  return { response, outage: kind === 'unreachable' ? outage : null };
}
