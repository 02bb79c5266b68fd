// Shares: the sum of some cells of an agent, and the sites that it is a share of.
import {
  type AccessCell,
  BLOCKED,
  type CensusReportData,
  type Example,
  type GroupKind,
  MAX_EXAMPLES,
  type SiteAccess,
  type SiteCount,
  type WeightedCell,
  WITH_FILE,
} from 'maycrawl/api';

/**
 * What shares are of.
 *
 * - `known`: sites with a file, or without one: not those whose policy is unknown.
 * - `files`: sites with a file.
 */
export type Base = 'known' | 'files';

/** A part of a number of sites. */
export interface Share {
  readonly sites: SiteCount;
  readonly total: number;
}

export const NO_SITES: SiteCount = { count: 0, examples: [] };

export const NO_SHARE: Share = { sites: NO_SITES, total: 0 };

export type Cells = readonly AccessCell[];

/** The accesses of sites whose policy is unknown. */
export const UNKNOWN: readonly SiteAccess[] = ['unreachable', 'unknown'];

function isInBase(access: SiteAccess, base: Base): boolean {
  return base === 'files' ? WITH_FILE.includes(access) : !UNKNOWN.includes(access);
}

/** The sum of numbers, with the first examples of them. */
export function addCounts(counts: readonly SiteCount[]): SiteCount {
  if (counts.length === 1) return counts[0] as SiteCount;
  const examples: Example[] = [];
  for (const each of counts) examples.push(...each.examples.slice(0, MAX_EXAMPLES - examples.length));
  return { count: counts.reduce((sum, { count }) => sum + count, 0), examples };
}

export function countBase(cells: Cells, base: Base): number {
  return cells.reduce((sum, { access, sites }) => sum + (isInBase(access, base) ? sites.count : 0), 0);
}

/** How an agent is blocked: by a group of its own (or of a token that it obeys), or by the groups for all crawlers. */
export type BlockedBy = 'name' | 'all' | 'any';

/** Whether a group is one of the agent. */
function isNamed(group: GroupKind | null): boolean {
  return group === 'own' || group === 'fallback';
}

/** The sites that block an agent. */
export function getBlocked(cells: Cells, base: Base, by: BlockedBy = 'any'): Share {
  const found = cells.filter(
    ({ access, group }) => BLOCKED.includes(access) && (by === 'any' || isNamed(group) === (by === 'name')),
  );
  return { sites: addCounts(found.map(({ sites }) => sites)), total: countBase(cells, base) };
}

export type ReadingCells = CensusReportData['readings'][number]['agents'][number];

/** The sites whose class by a reading is another one. Files whose class is undecided, proved or by the reading, do not count. */
export function getDifferent(cells: ReadingCells): Share {
  const decided = cells.filter(({ proved, read }) => proved !== 'undecided' && read !== 'undecided');
  const different = decided.filter(({ proved, read }) => proved !== read);
  return {
    sites: addCounts(different.map(({ sites }) => sites)),
    total: decided.reduce((sum, { sites }) => sum + sites.count, 0),
  };
}

/** The sites with an access, whichever group applies. */
export function getAccess(cells: Cells, access: SiteAccess): SiteCount {
  return addCounts(cells.filter((cell) => cell.access === access).map(({ sites }) => sites));
}

/** The share as a number from 0 to 1; 0 of nothing. */
export function toFraction({ sites, total }: Share): number {
  return total === 0 ? 0 : sites.count / total;
}

/** Sites of a part whose share has a bar or a colour: shares of fewer sites differ by chance. */
export const MIN_SITES = 20;

/** The end of an axis of shares: the smallest round number that no fraction exceeds. More than 0, so that others can be divided by it. */
export function findAxisEnd(fractions: readonly number[]): number {
  const most = Math.max(0, ...fractions);
  return AXIS_ENDS.find((each) => each >= most) ?? 1;
}

/** Ends of axes. The half of each is a short number, too. */
const AXIS_ENDS = [0.001, 0.002, 0.004, 0.01, 0.02, 0.04, 0.1, 0.2, 0.4, 0.6, 0.8, 1];

/** The largest of some fractions. More than 0, so that others can be divided by it. */
export function findLargest(fractions: readonly number[]): number {
  return Math.max(0.000_001, ...fractions);
}

/** The part of the weight of the sites of a base that those have that block the agent; 0 of nothing. */
export function getWeightShare(cells: readonly WeightedCell[], base: Base): number {
  let [blocked, total] = [0, 0];
  for (const { access, weight } of cells) {
    if (!isInBase(access, base)) continue;
    total += weight;
    if (BLOCKED.includes(access)) blocked += weight;
  }
  return total === 0 ? 0 : blocked / total;
}

/** Indexes of agents, those that are blocked most first. */
export function orderAgents(access: readonly Cells[], base: Base): number[] {
  const shares = access.map((cells) => toFraction(getBlocked(cells, base)));
  return shares.map((_, index) => index).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0) || a - b);
}
