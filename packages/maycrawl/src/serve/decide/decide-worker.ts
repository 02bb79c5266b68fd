// The thread for decisions that may take longer than the event loop may be blocked: large files, and long URLs against many rules
// with wildcards (decider.ts).
import { type CrawlerInput, parse } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { getVerdictKey, toJsonError } from '../../reports/json-verdict.ts';
import { type Decided, type NotDecided, toDecided } from './decision-text.ts';
import { DocumentRules } from './document-rules.ts';
import { getProfile } from './profile-name.ts';

/** URLs that one crawler requests from one site. */
export interface DecideTask {
  /** Identifies the file in this process. */
  readonly key: number;
  /** The file, in shared memory. */
  readonly bytes: Uint8Array;
  readonly origin: string;
  readonly profile: string;
  readonly crawler: CrawlerInput;
  readonly urls: readonly string[];
}

/** Decisions about the URLs of a task. Equal ones are sent once: `indexes` has the index in `results` for each URL. */
export interface DecideResult {
  readonly results: readonly (Decided | NotDecided)[];
  readonly indexes: readonly number[];
  /** Whether the thread compiled rules. */
  readonly compiled: boolean;
  /** How long the task took, in milliseconds. */
  readonly time: number;
}

/** Bytes of parsed files and their rules in memory. */
const MAX_BYTES = 128 * 1024 * 1024;

const files: LRUCache<number, DocumentRules> = new LRUCache({
  maxSize: MAX_BYTES,
  sizeCalculation: (rules) => rules.fileBytes + rules.sizeInBytes,
});

export function examine({ key: file, bytes, origin, profile, crawler, urls }: DecideTask): DecideResult {
  const start = performance.now();
  const rules =
    files.get(file) ??
    new DocumentRules(parse(bytes, { profile: getProfile(profile), url: `${origin}/robots.txt` }));
  const { compilations } = rules;
  const ruleset = rules.get(crawler);
  const results: (Decided | NotDecided)[] = [];
  const known = new Map<string, number>();
  const indexes = urls.map((url) => {
    const verdict = ruleset.decide(url);
    if (verdict.kind === 'out-of-scope') return results.push(toJsonError(verdict)) - 1;
    const key = getVerdictKey(verdict);
    const index = known.get(key) ?? results.push(toDecided(verdict)) - 1;
    known.set(key, index);
    return index;
  });
  // The cache measures an entry only when it is set.
  files.delete(file);
  files.set(file, rules);
  const compiled = rules.compilations > compilations;
  return { results, indexes, compiled, time: performance.now() - start };
}
