/**
 * Decisions of a crawler about URLs, and what they are in JSON.
 *
 * @module
 */
import { decideWithoutFile, type Ruleset, type Verdict } from '@maycrawl/core';
import { answerOf, errorOf } from '../../reports/answer.ts';
import type { NamedCrawler } from '../input/options.ts';
import type { Source } from '../input/source.ts';

/** A decision, and what was asked. */
export interface Answer {
  readonly url: string;
  readonly crawler: NamedCrawler;
  readonly source: Source;
  readonly verdict: Verdict;
}

/** Decides about a URL by a robots.txt. */
export type Judge = (source: Source, url: string) => Verdict;

/** Judges URLs for one crawler; the rules of each site are read once. */
export function judgeFor({ crawler }: NamedCrawler, normalize: boolean): Judge {
  const rulesets = new Map<Source, Ruleset>();
  return (source, url) => {
    const { outcome, robots } = source;
    let ruleset = rulesets.get(source);
    if (ruleset === undefined) {
      ruleset = robots.ruleset(crawler);
      rulesets.set(source, ruleset);
    }
    // What is no URL has no answer, also where it is to be taken as it is.
    const usual = ruleset.decide(url);
    if (usual.kind === 'out-of-scope') return usual;
    if (outcome === 'found') return normalize ? usual : ruleset.decide(url, { normalize });
    const { profile } = robots;
    const options =
      source.url === undefined ? { profile, normalize } : { profile, normalize, url: source.url };
    return decideWithoutFile(outcome, crawler, url, options);
  };
}

/** An answer in JSON. */
export function jsonAnswerOf({ url, crawler, source, verdict }: Answer): object {
  if (verdict.kind === 'out-of-scope') return jsonErrorOf(url, crawler, source, errorOf(verdict));
  const { reason, path } = verdict;
  return { ...askedOf(url, crawler, source), ...answerOf(verdict), reason, path, ...describeFetch(source) };
}

/** In JSON, that there is no answer; `url` is `null` if it could not be read. */
export function jsonErrorOf(
  url: string | null,
  crawler: NamedCrawler,
  source: Source,
  error: { readonly code: string; readonly message: string },
): object {
  return { ...askedOf(url, crawler, source), allowed: null, error, ...describeFetch(source) };
}

function askedOf(url: string | null, crawler: NamedCrawler, { name, outcome, robots }: Source): object {
  return { url, agent: crawler.name, profile: robots.profile.name, robots: name, outcome };
}

function describeFetch({ code, reason }: Source): object {
  return reason === undefined ? {} : { code, message: reason };
}
