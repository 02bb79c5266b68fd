/**
 * Decisions of a crawler about URLs, and what they are in JSON.
 *
 * @module
 */
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
import { toJsonAnswer, toJsonError } from '../reports/answer.ts';

/** A robots.txt that was read, or the policy without one. */
export interface Source {
  /** What was named: a path, `standard input`, or a URL. */
  readonly name: string;
  readonly policy: RobotsPolicy;
  /** Why there is no file: a description for people, and a code. */
  readonly message?: string;
  readonly code?: FetchCode;
  /** The file's URL, where it has one. */
  readonly url?: string;
  readonly hops: readonly Hop[];
  /** The document; an empty one where there is no file. */
  readonly robots: RobotsTxt;
}

/** A crawler as the user named it. */
export interface NamedCrawler {
  readonly name: string;
  readonly crawler: CrawlerInput;
}

/** A decision, and what it is about. */
export interface Answer {
  readonly url: string;
  readonly crawler: NamedCrawler;
  readonly source: Source;
  readonly verdict: Verdict;
}

/** Decides about a URL by a robots.txt. */
export type Judge = (source: Source, url: string) => Verdict;

/** Judges URLs for one crawler; the rules of each site are read once. */
export function createJudgeFor({ crawler }: NamedCrawler, normalize: boolean): Judge {
  const rulesets = new Map<Source, Ruleset>();
  return (source, url) => {
    const { policy, robots } = source;
    let ruleset = rulesets.get(source);
    if (ruleset === undefined) {
      ruleset = robots.ruleset(crawler);
      rulesets.set(source, ruleset);
    }
    // What is no URL has no answer, also where it is to be taken as it is.
    const usual = ruleset.decide(url);
    if (usual.kind === 'out-of-scope') return usual;
    if (policy.kind === 'rules' && normalize) return usual;
    const stored = ruleset;
    const scope = source.url === undefined ? {} : { url: source.url };
    const options = { profile: robots.profile, normalize, ...scope, getRuleset: () => stored };
    return decideByPolicy(policy, crawler, url, options);
  };
}

/** An answer in JSON. */
export function createAnswerReport({ url, crawler, source, verdict }: Answer): object {
  if (verdict.kind === 'out-of-scope') return createErrorReport(url, crawler, source, toJsonError(verdict));
  const { reason, path } = verdict;
  return {
    ...describeQuestion(url, crawler, source),
    ...toJsonAnswer(verdict),
    reason,
    path,
    ...describeFailure(source),
  };
}

/** In JSON, that there is no answer; `url` is `null` if it could not be read. */
export function createErrorReport(
  url: string | null,
  crawler: NamedCrawler,
  source: Source,
  error: { readonly code: string; readonly message: string },
): object {
  return { ...describeQuestion(url, crawler, source), allowed: null, error, ...describeFailure(source) };
}

function describeQuestion(
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
