/**
 * The thread that decides by large files, and about long URLs by files with many stars: one such decision can take longer than
 * the event loop may wait (decider.ts).
 *
 * @module
 */
import { type CrawlerInput, parse } from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { errorOf } from '../../reports/answer.ts';
import { type Decided, type NotDecided, toDecided } from './answer-text.ts';
import { DocumentRules } from './document-rules.ts';
import { profileNamed } from './profile-name.ts';

/** Decisions of one crawler by one file. */
export interface DecideTask {
  /** Names the file in this process. */
  readonly key: number;
  /** The file, shared with the thread. */
  readonly bytes: Uint8Array;
  readonly origin: string;
  readonly profile: string;
  readonly crawler: CrawlerInput;
  readonly urls: readonly string[];
}

/** Decisions about the URLs of a task: each is one of `results`, by its index. */
export interface DecideResult {
  readonly results: readonly (Decided | NotDecided)[];
  readonly indexes: readonly number[];
  /** Whether rules had to be compiled. */
  readonly compiled: boolean;
}

/** Files that stay parsed, and the memory in bytes that they and their rules may take. */
const MAX_BYTES = 128 * 1024 * 1024;

const files: LRUCache<number, DocumentRules> = new LRUCache({
  maxSize: MAX_BYTES,
  sizeCalculation: (rules) => rules.fileBytes + rules.sizeInBytes,
});

/** Decides. */
export function examine({ key, bytes, origin, profile, crawler, urls }: DecideTask): DecideResult {
  const rules =
    files.get(key) ??
    new DocumentRules(parse(bytes, { profile: profileNamed(profile), url: `${origin}/robots.txt` }));
  const { compilations } = rules;
  const ruleset = rules.get(crawler);
  const results: (Decided | NotDecided)[] = [];
  const known = new Map<string, number>();
  const indexes = urls.map((url) => {
    const verdict = ruleset.decide(url);
    if (verdict.kind === 'out-of-scope') return results.push(errorOf(verdict)) - 1;
    const same = `${verdict.groupKind} ${verdict.line} ${verdict.reason}`;
    const index = known.get(same) ?? results.push(toDecided(verdict)) - 1;
    known.set(same, index);
    return index;
  });
  // Its memory is counted again.
  files.delete(key);
  files.set(key, rules);
  return { results, indexes, compiled: rules.compilations > compilations };
}
