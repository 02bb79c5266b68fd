/**
 * What an edit changes, for all URLs and crawlers, as data that a message can carry.
 *
 * @module
 */
import { type Allowed, type Disallowed, parse, type RobotsTxt } from '@maycrawl/core';
import { ANY_OTHER_CRAWLER, compareFiles } from '@maycrawl/core/proofs';
import type { Content } from '../state/robots-file.ts';

/** A rule that decides, or `null` where none does. */
type Decider = { readonly line: number; readonly kind: string; readonly text: string } | null;

/** One change, with a shortest example. */
export interface Changed {
  readonly direction: 'blocked' | 'allowed';
  readonly example: string;
  readonly before: Decider;
  readonly after: Decider;
}

/** What changes for crawlers that obey the same lines. */
export interface CrawlersChanged {
  /** Names; `any other crawler` among them. */
  readonly crawlers: readonly string[];
  /** Whether the proof came to an end. */
  readonly isDecided: boolean;
  readonly changes: readonly Changed[];
  /** How many further ones there are. */
  readonly more: number;
}

/** What a comparison comes to. */
export interface Comparing {
  readonly isEquivalent: boolean;
  /** In one sentence. */
  readonly sentence: string;
  /** The crawlers for which anything changes or was not decided. */
  readonly groups: readonly CrawlersChanged[];
}

/** More changes than this are counted, and not listed. */
const MAX_CHANGES = 200;

/** Compares two files. */
export function compare(before: Content, after: Content, profile: string): Comparing {
  const [was, is] = [parse(before, { profile }), parse(after, { profile })];
  const { equivalent, comparisons } = compareFiles(was, is);
  const groups = comparisons
    .filter(({ changes, equivalent: isEquivalent }) => changes.length > 0 || isEquivalent === null)
    .map(({ crawlers, changes, equivalent: isEquivalent }) => ({
      crawlers: crawlers.map(({ name }) => (name === ANY_OTHER_CRAWLER ? 'any other crawler' : name)),
      isDecided: isEquivalent !== null,
      changes: changes.slice(0, MAX_CHANGES).map(({ direction, example, before: old, after: now }) => ({
        ...{ direction, example, before: deciderOf(old), after: deciderOf(now) },
      })),
      more: Math.max(0, changes.length - MAX_CHANGES),
    }));
  const sentence =
    equivalent === true
      ? samenessOf(was, is)
      : equivalent === null
        ? 'Not decided: the rules are too entangled.'
        : 'Verdicts change.';
  return { isEquivalent: equivalent === true, sentence, groups };
}

function deciderOf({ line, rule }: Allowed | Disallowed): Decider {
  return rule === null ? null : { line, kind: rule.kind, text: rule.text };
}

/** What to say of files that decide alike. */
function samenessOf(before: RobotsTxt, after: RobotsTxt): string {
  const [old, now] = [before.bytes, after.bytes];
  if (old.length === now.length && old.every((byte, at) => byte === now[at]))
    return 'The files are the same.';
  if (otherRecordsOf(before) !== otherRecordsOf(after))
    return 'Same verdicts for every crawler and every URL; other records than rules changed.';
  return 'Same for every crawler and URL: only formatting changed.';
}

/** Sitemaps and other records that decide nothing. */
function otherRecordsOf(robots: RobotsTxt): string {
  const others = robots.records().filter(({ kind }) => kind === 'sitemap' || kind === 'other');
  return JSON.stringify(others.map(({ field, text }) => [field.toLowerCase(), text]).sort());
}
