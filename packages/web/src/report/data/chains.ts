/**
 * Chains of redirects, and canonicals that are wrong.
 *
 * @module
 */
import type { Target } from 'maycrawl/api';
import { describeChain } from '../text.ts';
import { NONE, type ReportData } from './report-data.ts';

/** Steps that are followed. */
const MAX_STEPS = 20;

/** A chain of redirects. */
export interface Chain {
  /** The URLs after the first. */
  readonly steps: readonly { readonly status: number; readonly to: Target }[];
  readonly isLoop: boolean;
}

/** Follows the redirects of a URL. */
export function followRedirects(data: ReportData, index: number): Chain {
  const steps: { status: number; to: Target }[] = [];
  const seen = new Set<Target>([index]);
  for (let at: Target = index; typeof at === 'number' && steps.length < MAX_STEPS; ) {
    const to = data.getRedirect(at);
    if (to === null) return { steps, isLoop: false };
    steps.push({ status: data.statuses[at] as number, to });
    if (seen.has(to)) return { steps, isLoop: true };
    seen.add(to);
    at = to;
  }
  return { steps, isLoop: false };
}

/** A URL in a list. */
export interface ListItem {
  readonly index: number;
  readonly note?: string;
  /** Further URLs. */
  readonly targets?: readonly Target[];
}

/** Finds the beginnings of chains of several redirects, and one URL of each loop. */
export function findRedirectChains(
  data: ReportData,
  agent: number,
): { readonly long: ListItem[]; readonly loops: ListItem[] } {
  const [long, loops]: [ListItem[], ListItem[]] = [[], []];
  const inLoop = new Set<Target>();
  for (let index = 0; index < data.count; index++) {
    if (data.getRedirect(index) === null || data.isBlocked(index, agent)) continue;
    const { steps, isLoop } = followRedirects(data, index);
    const targets = steps.map(({ to }) => to);
    const note = describeChain(steps.map(({ status }) => status));
    if (isLoop && !inLoop.has(index)) {
      for (const each of [index, ...targets]) inLoop.add(each);
      loops.push({ index, note, targets });
    } else if (!isLoop && steps.length > 1) long.push({ index, note, targets });
  }
  return { long, loops };
}

/** Finds pages with several different canonicals, and canonicals that are not indexable or not judged. */
export function findWrongCanonicals(
  data: ReportData,
  agent: number,
  describe: (index: number) => string,
): { readonly conflicts: ListItem[]; readonly bad: ListItem[]; readonly unknown: ListItem[] } {
  const [conflicts, bad, unknown]: [ListItem[], ListItem[], ListItem[]] = [[], [], []];
  for (let index = 0; index < data.count; index++) {
    if (data.verdicts[index] === NONE || data.isBlocked(index, agent)) continue;
    const canonical = data.getCanonical(index);
    if (canonical === null || canonical.kind === 'self') continue;
    const { kind, targets } = canonical;
    const [to] = targets;
    if (kind === 'conflict') conflicts.push({ index, targets });
    else if (typeof to !== 'number' || data.getVerdict(to, agent) === null) unknown.push({ index, targets });
    else if ((data.getVerdict(to, agent)?.[0] ?? 0) !== 0) bad.push({ index, targets, note: describe(to) });
  }
  return { conflicts, bad, unknown };
}
