/**
 * Where redirects and canonicals lead, step by step.
 *
 * @module
 */
import { NONE, type ReportData, type Target } from './report-data.ts';

/** So many steps are followed. */
const MAX_STEPS = 20;

/** A chain of redirects. */
export interface Chain {
  /** The URLs after the first. */
  readonly steps: readonly { readonly status: number; readonly to: Target }[];
  readonly isLoop: boolean;
}

/** The redirects from a URL on. */
export function chainFrom(data: ReportData, place: number): Chain {
  const steps: { status: number; to: Target }[] = [];
  const seen = new Set<Target>([place]);
  for (let at: Target = place; typeof at === 'number' && steps.length < MAX_STEPS; ) {
    const to = data.redirect(at);
    if (to === null) return { steps, isLoop: false };
    steps.push({ status: data.statuses[at] as number, to });
    if (seen.has(to)) return { steps, isLoop: true };
    seen.add(to);
    at = to;
  }
  return { steps, isLoop: false };
}

/** A URL, and what is to be said of it in a list. */
export interface Listed {
  readonly place: number;
  readonly note?: string;
  /** Further URLs. */
  readonly targets?: readonly Target[];
}

/** Chains of several redirects, and those that go round; of each only where it begins. */
export function redirectChains(
  data: ReportData,
  agent: number,
): { readonly long: Listed[]; readonly loops: Listed[] } {
  const [long, loops]: [Listed[], Listed[]] = [[], []];
  const inLoop = new Set<Target>();
  for (let place = 0; place < data.count; place++) {
    if (data.redirect(place) === null || data.isBlocked(place, agent)) continue;
    const { steps, isLoop } = chainFrom(data, place);
    const targets = steps.map(({ to }) => to);
    const note = steps.map(({ status }) => status).join(', ');
    if (isLoop && !inLoop.has(place)) {
      for (const each of [place, ...targets]) inLoop.add(each);
      loops.push({ place, note, targets });
    } else if (!isLoop && steps.length > 1)
      long.push({ place, note: `${steps.length} redirects: ${note}`, targets });
  }
  return { long, loops };
}

/** Canonicals that disagree, and those that name what is not indexable itself. */
export function canonicalFaults(
  data: ReportData,
  agent: number,
  tell: (place: number) => string,
): { readonly conflicts: Listed[]; readonly bad: Listed[]; readonly unknown: Listed[] } {
  const [conflicts, bad, unknown]: [Listed[], Listed[], Listed[]] = [[], [], []];
  for (let place = 0; place < data.count; place++) {
    if (data.verdicts[place] === NONE || data.isBlocked(place, agent)) continue;
    const canonical = data.canonical(place);
    if (canonical === null || canonical.kind === 'self') continue;
    const { kind, targets } = canonical;
    const [to] = targets;
    if (kind === 'conflict') conflicts.push({ place, targets });
    else if (typeof to !== 'number' || data.verdict(to, agent) === null) unknown.push({ place, targets });
    else if ((data.verdict(to, agent)?.[0] ?? 0) !== 0) bad.push({ place, targets, note: tell(to) });
  }
  return { conflicts, bad, unknown };
}
