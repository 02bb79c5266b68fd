// Verdicts of the versions of a robots.txt.
import {
  type Allowed,
  type CrawlerInput,
  type Disallowed,
  type Profile,
  parse,
  type Ruleset,
  RulesetCache,
} from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import type { Version } from './timeline.ts';

/** Versions whose files stay parsed. */
const MAX_FILES = 64;

/** What a version says about a request. */
export interface VersionVerdict {
  /** Of the URL as it was logged, or in request form: if they differ, the one that allows it. */
  readonly verdict: Allowed | Disallowed;
  /** Whether they differ. */
  readonly isAmbiguous: boolean;
}

/** A parsed version, and its rules by the names of crawlers. */
interface ParsedVersion {
  readonly cache: RulesetCache;
  readonly rulesets: Map<string, Ruleset>;
}

/** Decides by versions, for crawlers by their names. */
export class VersionRules {
  readonly #profile: Profile;
  readonly #toCrawler: (name: string) => CrawlerInput;
  readonly #files: LRUCache<Version, ParsedVersion> = new LRUCache({ max: MAX_FILES });

  /** @param toCrawler - returns the crawler with a name. */
  constructor(profile: Profile, toCrawler: (name: string) => CrawlerInput) {
    this.#profile = profile;
    this.#toCrawler = toCrawler;
  }

  /** Decides about a URL. @param url - an absolute URL whose path and query are as they were logged. */
  decide(version: Version, crawler: string, url: string): VersionVerdict {
    const ruleset = this.getRuleset(version, crawler);
    const verdict = requireInScope(ruleset.decide(url));
    if (!verdict.normalized) return { verdict, isAmbiguous: false };
    const logged = requireInScope(ruleset.decide(url, { normalize: false }));
    const isAmbiguous = logged.allowed !== verdict.allowed;
    return { verdict: isAmbiguous && logged.allowed ? logged : verdict, isAmbiguous };
  }

  /** Returns the rules of a version for a crawler. */
  getRuleset(version: Version, crawler: string): Ruleset {
    let file = this.#files.get(version);
    if (file === undefined) {
      const robots = parse(version.body, { profile: this.#profile });
      file = { cache: new RulesetCache(robots), rulesets: new Map() };
      this.#files.set(version, file);
    }
    let ruleset = file.rulesets.get(crawler);
    if (ruleset === undefined) {
      // Crawlers with the same groups share their rules.
      ruleset = file.cache.get(this.#toCrawler(crawler));
      file.rulesets.set(crawler, ruleset);
    }
    return ruleset;
  }
}

function requireInScope(verdict: ReturnType<Ruleset['decide']>): Allowed | Disallowed {
  // A file without an origin applies to all URLs of crawlers.
  if (verdict.kind === 'out-of-scope') throw new RangeError(`${verdict.url} is no URL of a crawler`);
  return verdict;
}
