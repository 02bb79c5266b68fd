// Says why a URL has another verdict at a later stage.
import type { Allowed, Disallowed, RobotsTxt } from '@maycrawl/core';
import type { ManagedBlock } from '@maycrawl/core/internal';
import type { VerdictChange } from '@maycrawl/core/proofs';
import { formatBlockLines, STAGE_NAMES, type StagedFile } from './deployed-file.ts';

/** The earlier and the later file. */
export type Files = readonly [StagedFile, StagedFile];

/** The managed blocks of both files. */
export type FileBlocks = readonly [readonly ManagedBlock[], readonly ManagedBlock[]];

/** A rule, as it stands in a file. */
export interface RuleLine {
  readonly line: number;
  /** `Disallow: /checkout` */
  readonly text: string;
}

/** Returns the vendor of the block with a deciding line; else of any block, because its groups replace those of the owner. */
export function findVendor({ before, after }: VerdictChange, blocks: FileBlocks): string | null {
  const contains = (line: number) => (block: ManagedBlock) => block.first <= line && line <= block.last;
  const found =
    blocks[1].find(contains(after.line)) ?? blocks[0].find(contains(before.line)) ?? blocks.flat()[0];
  return found?.vendor ?? null;
}

/** Says what the block of a vendor changes. */
export function describeBlock(
  vendor: string,
  files: Files,
  blocks: FileBlocks,
  { before, after }: VerdictChange,
): string {
  const side = blocks[1].some((block) => block.vendor === vendor) ? 1 : 0;
  const own = blocks[side].filter((block) => block.vendor === vendor);
  const rule = toRuleLine(side === 1 ? after : before);
  const deciding = own.find(({ first, last }) => rule !== null && first <= rule.line && rule.line <= last);
  const block = deciding ?? (own[0] as ManagedBlock);
  const isInside = rule !== null && deciding !== undefined;
  const cause = isInside ? `${formatRule(rule)} decides` : 'its groups replace others';
  const [file, other] = [STAGE_NAMES[files[side].stage], STAGE_NAMES[files[1 - side]?.stage ?? 'source']];
  const isInBoth = blocks.every((each) => each.some((one) => one.vendor === vendor));
  const relation = isInBoth ? 'is another one than in' : 'is not in';
  return `the managed block of ${vendor} (${formatBlockLines(block)} of ${file}) ${relation} ${other}: ${cause}`;
}

/** Says which of the two rules is missing, was added, or decides for other crawlers. */
export function describeCause(
  [before, after]: readonly [RuleLine | null, RuleLine | null],
  [textsBefore, textsAfter]: readonly [ReadonlySet<string>, ReadonlySet<string>],
): string {
  const isMissing = before !== null && !textsAfter.has(before.text);
  const isAdded = after !== null && !textsBefore.has(after.text);
  if (isMissing)
    return after === null
      ? `${formatRule(before)} is missing`
      : `${formatRule(before)} is missing, ${formatRule(after)} decides instead`;
  if (isAdded) return `${formatRule(after)} was added`;
  if (before === null && after !== null) return `${formatRule(after)} applies to other crawlers`;
  if (before !== null && after === null) return `${formatRule(before)} no longer applies to these crawlers`;
  return before === null || after === null
    ? 'the rules apply to other crawlers'
    : `${formatRule(after)} decides instead of ${formatRule(before)}`;
}

function formatRule({ line, text }: RuleLine): string {
  return `line ${line} (${text})`;
}

export function toRuleLine({ line, rule }: Allowed | Disallowed): RuleLine | null {
  return rule === null ? null : { line, text: toRuleText(rule) };
}

function toRuleText({ kind, text }: { readonly kind: 'allow' | 'disallow'; readonly text: string }): string {
  return `${kind === 'allow' ? 'Allow' : 'Disallow'}: ${text}`;
}

/** Returns the texts of all rules of a file. */
export function readRuleTexts(robots: RobotsTxt): ReadonlySet<string> {
  return new Set(robots.groups().flatMap(({ rules }) => rules.map(toRuleText)));
}
