// Compares a robots.txt at two stages of its deployment, with a proof for every crawler and URL, and says what each difference means.
import type { ManagedBlock } from '@maycrawl/core/internal';
import { compareDeclarations } from '@maycrawl/core/preferences';
import {
  ANY_OTHER_CRAWLER,
  type Budget,
  compareFiles,
  compareRecords,
  type FileComparison,
  type RecordComparison,
  type VerdictChange,
} from '@maycrawl/core/proofs';
import { describeChanges } from '../preferences/describe-changes.ts';
import { formatCrawlers, sortByCrawler } from '../text/crawler-names.ts';
import { formatFirst } from '../text/first-names.ts';
import { toSentence } from '../text/sentence.ts';
import { STAGE_NAMES, type Stage, type StagedFile, separateManagedBlocks } from './deployed-file.ts';
import {
  describeBlock,
  describeCause,
  type FileBlocks,
  type Files,
  findVendor,
  type RuleLine,
  readRuleTexts,
  toRuleLine,
} from './describe-change.ts';

/** URLs with different verdicts at two stages, decided by the same two rules. */
export interface StageDifference {
  /** `blocked`: only the later file disallows them. */
  readonly direction: VerdictChange['direction'];
  /** A shortest path, with its query. */
  readonly example: string;
  /** The first of them. */
  readonly agents: readonly string[];
  /** The number of all. */
  readonly agentCount: number;
  /** The rules that decide; `null` if no rule matches. */
  readonly before: RuleLine | null;
  readonly after: RuleLine | null;
  /** The vendor whose managed block makes the difference; `null` if it is in the lines of the owner. */
  readonly managedBy: string | null;
  /** One sentence. It quotes the files: escape it for a terminal. */
  readonly message: string;
}

/** A block that a vendor manages, which the other file does not have. */
interface ManagedText {
  readonly stage: Stage;
  readonly vendor: string;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Two stages of a file. */
export interface StageComparison {
  readonly before: Stage;
  readonly after: Stage;
  /** Whether all verdicts and other records are the same; `null` if no difference was found, but the proofs exceeded their budget. */
  readonly equivalent: boolean | null;
  /** The same, apart from what managed blocks change. */
  readonly equivalentWithoutBlocks: boolean | null;
  readonly hasSameBytes: boolean;
  readonly managedBlocks: readonly ManagedText[];
  readonly differences: readonly StageDifference[];
  /** Differences of other records, such as sitemaps: one sentence each. */
  readonly records: readonly string[];
  /** Changed declarations about the use of content, which affect no verdict: one sentence each. */
  readonly declarations: readonly string[];
}

/** Compares two stages of a file. @param budget - of all proofs together. */
export function compareStages(before: StagedFile, after: StagedFile, budget: Budget): StageComparison {
  const stages = { before: before.stage, after: after.stage };
  if (Buffer.from(before.robots.bytes).equals(after.robots.bytes))
    return {
      ...stages,
      ...{ equivalent: true, equivalentWithoutBlocks: true, hasSameBytes: true },
      ...{ managedBlocks: [], differences: [], records: [], declarations: [] },
    };
  const parts = [separateManagedBlocks(before.robots), separateManagedBlocks(after.robots)] as const;
  const hasBlocks = parts.some(({ blocks }) => blocks.length > 0);
  const all = compareFiles(before.robots, after.robots, { budget });
  const own = hasBlocks ? compareFiles(parts[0].robots, parts[1].robots, { budget }) : all;
  const records = compareRecords(parts[0].robots, parts[1].robots, { budget });
  const declarations = compareDeclarations(before.robots, after.robots, { budget });
  const recordTexts = describeRecords(records, before.stage, after.stage);
  const combine = (...results: readonly (boolean | null)[]): boolean | null =>
    results.includes(false) ? false : results.includes(null) ? null : true;
  const ownResult = combine(own.equivalent, records.equivalent);
  return {
    ...stages,
    equivalent: combine(all.equivalent, ownResult),
    equivalentWithoutBlocks: ownResult,
    hasSameBytes: false,
    managedBlocks: listBlocks(before.stage, parts[0].blocks, parts[1].blocks).concat(
      listBlocks(after.stage, parts[1].blocks, parts[0].blocks),
    ),
    differences: listDifferences([before, after], { all, own, blocks: [parts[0].blocks, parts[1].blocks] }),
    records: recordTexts,
    declarations: describeChanges(declarations),
  };
}

function listBlocks(
  stage: Stage,
  blocks: readonly ManagedBlock[],
  others: readonly ManagedBlock[],
): ManagedText[] {
  return blocks
    .filter(({ vendor }) => !others.some((other) => other.vendor === vendor))
    .map(({ vendor, first, last }) => ({ stage, vendor, firstLine: first, lastLine: last }));
}

interface Causes {
  readonly all: FileComparison;
  /** The comparison without managed blocks. */
  readonly own: FileComparison;
  readonly blocks: FileBlocks;
}

/** Changes by the same two rules, with the same example. */
interface ChangeGroup {
  readonly change: VerdictChange;
  readonly managedBy: string | null;
  /** Names of crawlers, one list for each class. The lists are shared: their lengths times the changes can be a large number. */
  readonly names: (readonly string[])[];
}

/** Lists the differences of the owner's lines first, then what managed blocks change. */
function listDifferences(files: Files, causes: Causes): StageDifference[] {
  const { all, own, blocks } = causes;
  const groups = new Map<string, ChangeGroup>();
  const add = (change: VerdictChange, managedBy: string | null, names: readonly string[]): void => {
    const key = `${managedBy ?? ''} ${change.direction} ${change.before.line} ${change.after.line} ${change.example}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { change, managedBy, names: [names] });
    else group.names.push(names);
  };
  const lists = own.comparisons.map(({ crawlers }) => sortNames(crawlers.map(({ name }) => name)));
  for (const [index, { changes }] of own.comparisons.entries())
    for (const change of changes) add(change, null, lists[index] ?? []);
  if (all !== own) {
    const keys = own.comparisons.map(({ changes }) => new Set(changes.flatMap(toRuleKeys)));
    const ownClasses = new Map(lists.flatMap((names, index) => names.map((name) => [name, index] as const)));
    for (const { crawlers, changes } of all.comparisons) {
      const byClass = new Map<number, string[]>();
      for (const { name } of crawlers) {
        // A crawler that only a block names is any other crawler without it.
        const index = ownClasses.get(name) ?? ownClasses.get(ANY_OTHER_CRAWLER) ?? -1;
        const names = byClass.get(index);
        if (names === undefined) byClass.set(index, [name]);
        else names.push(name);
      }
      for (const [index, names] of byClass) {
        const sorted = sortNames(names);
        for (const change of changes)
          if (!toRuleKeys(change).some((key) => keys[index]?.has(key)))
            add(change, findVendor(change, blocks), sorted);
      }
    }
  }
  const texts = [readRuleTexts(files[0].robots), readRuleTexts(files[1].robots)] as const;
  return [...groups.values()].map((group) => createDifference(group, files, texts, causes));
}

/** Keys of the deciding rules. Line numbers are those of the whole file also without its managed blocks. */
function toRuleKeys({ direction, before, after }: VerdictChange): string[] {
  return [
    ...(before.line > 0 ? [`${direction} before ${before.line}`] : []),
    ...(after.line > 0 ? [`${direction} after ${after.line}`] : []),
  ];
}

/** Names of crawlers in a difference; more are a number. */
const MAX_AGENTS = 1_000;

function sortNames(names: readonly string[]): readonly string[] {
  return sortByCrawler(names.map((name) => ({ names: [name] }))).map(({ names: [name = ''] }) => name);
}

function createDifference(
  { change, managedBy, names }: ChangeGroup,
  files: Files,
  texts: readonly [ReadonlySet<string>, ReadonlySet<string>],
  { all, own, blocks }: Causes,
): StageDifference {
  const { direction, example } = change;
  const rules = [toRuleLine(change.before), toRuleLine(change.after)] as const;
  const agentCount = names.reduce((sum, list) => sum + list.length, 0);
  const agents: string[] = [];
  for (const list of names) agents.push(...list.slice(0, MAX_AGENTS - agents.length));
  const readers = formatCrawlers(agents, undefined, agentCount);
  const [before, after] = [STAGE_NAMES[files[0].stage], STAGE_NAMES[files[1].stage]];
  const apart = all === own ? '' : 'apart from managed lines, ';
  const cause =
    managedBy === null
      ? `${apart}${after} is not ${before}: ${describeCause(rules, texts)}`
      : describeBlock(managedBy, files, blocks, change);
  const effect = `${example} is ${direction === 'blocked' ? 'closed' : 'open'} for ${readers}`;
  const message = toSentence(`${cause}, and ${effect}`);
  return { direction, example, agents, agentCount, before: rules[0], after: rules[1], managedBy, message };
}

/** Describes the differences of records other than rules. */
function describeRecords(records: RecordComparison, before: Stage, after: Stage): string[] {
  const { addedNames, removedNames, changedAgents, hasSitemapChanges, hasUngroupedChanges } = records;
  const [earlier, later] = [STAGE_NAMES[before], STAGE_NAMES[after]];
  return [
    ...(removedNames.length > 0 ? [`${later} has no group for ${formatNames(removedNames)}`] : []),
    ...(addedNames.length > 0 ? [`${earlier} has no group for ${formatNames(addedNames)}`] : []),
    ...(changedAgents.length > 0
      ? [`${later} has other records, such as Crawl-delay, for ${formatNames(changedAgents)}`]
      : []),
    ...(hasSitemapChanges ? [`${later} has other Sitemap lines than ${earlier}`] : []),
    ...(hasUngroupedChanges ? [`${later} has other records outside of groups than ${earlier}`] : []),
  ].map(toSentence);
}

/** More names are a number. */
const MAX_NAMES = 5;

/** Formats values of user-agent lines. */
function formatNames(names: readonly string[]): string {
  return formatFirst(names, MAX_NAMES);
}
