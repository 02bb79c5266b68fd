// Verdicts about URLs, and their JSON.
import type { FetchCode, Hop } from '@maycrawl/client';
import {
  type CrawlerInput,
  decideByPolicy,
  getPolicyCode,
  getPolicySummary,
  type RobotsPolicy,
  type RobotsTxt,
  type Ruleset,
  type Verdict,
} from '@maycrawl/core';
import { toJsonError, toJsonVerdict } from '../reports/json-verdict.ts';

/** A robots.txt that was read, or the policy without one. */
export interface Source {
  /** A path, `standard input`, or a URL. */
  readonly name: string;
  readonly policy: RobotsPolicy;
  /** Why there is no file: a description and a code. */
  readonly message?: string;
  readonly code?: FetchCode;
  /** The URL of the file, if it has one. */
  readonly url?: string;
  readonly hops: readonly Hop[];
  /** The document; an empty one if there is no file. */
  readonly robots: RobotsTxt;
}

/** A crawler with the name that the user gave. */
export interface NamedCrawler {
  readonly name: string;
  readonly crawler: CrawlerInput;
}

/** A verdict and its subject. */
export interface JudgedUrl {
  readonly url: string;
  readonly crawler: NamedCrawler;
  readonly source: Source;
  readonly verdict: Verdict;
}

/** Decides whether a robots.txt allows a URL. */
export type Judge = (source: Source, url: string) => Verdict;

/** Creates a judge for one crawler, which compiles the rules of each site once. */
export function createUrlJudge({ crawler }: NamedCrawler, normalize: boolean): Judge {
  const rulesets = new Map<Source, Ruleset>();
  return (source, url) => {
    const { policy, robots } = source;
    let ruleset = rulesets.get(source);
    if (ruleset === undefined) {
      ruleset = robots.ruleset(crawler);
      rulesets.set(source, ruleset);
    }
    // Text that is not a URL has no verdict, also without normalization.
    const normalized = ruleset.decide(url);
    if (normalized.kind === 'out-of-scope') return normalized;
    if (policy.kind === 'rules' && normalize) return normalized;
    const stored = ruleset;
    const scope = source.url === undefined ? {} : { url: source.url };
    const options = { profile: robots.profile, normalize, ...scope, getRuleset: () => stored };
    return decideByPolicy(policy, crawler, url, options);
  };
}

export function createVerdictReport({ url, crawler, source, verdict }: JudgedUrl): object {
  if (verdict.kind === 'out-of-scope') return createErrorReport(url, crawler, source, toJsonError(verdict));
  const { reason, path } = verdict;
  return {
    ...describeRequest(url, crawler, source),
    ...toJsonVerdict(verdict),
    reason,
    path,
    ...describeFailure(source),
  };
}

/** Creates the JSON of an error. @param url - `null` if it could not be read. */
export function createErrorReport(
  url: string | null,
  crawler: NamedCrawler,
  source: Source,
  error: { readonly code: string; readonly message: string },
): object {
  return { ...describeRequest(url, crawler, source), allowed: null, error, ...describeFailure(source) };
}

function describeRequest(
  url: string | null,
  crawler: NamedCrawler,
  { name, policy, robots }: Source,
): object {
  const summary = getPolicySummary(getPolicyCode(policy));
  return { url, agent: crawler.name, profile: robots.profile.name, robots: name, policy: summary };
}

function describeFailure({ code, message }: Source): object {
  return message === undefined ? {} : { code, message };
}
