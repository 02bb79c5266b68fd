// Faults that make an audit fail, for continuous integration.
import type { Severity } from '@maycrawl/core';
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import { SEVERITIES } from '../../reports/severities.ts';
import { FINDING_CODES, type FindingCode } from '../findings/finding-kinds.ts';
import { isIndexingCrawler } from '../run/indexing-crawlers.ts';
import { packReasons, unpackReasons } from '../run/records/reasons.ts';
import type { RunStore } from '../run/run-store.ts';
import { getSettings } from '../run/settings.ts';

/** A kind of fault: a reason why a URL is not indexable, any of them, a kind of findings, or a severity and those above it. */
export type FailOn = Reason | 'any' | FindingCode | keyof typeof SHORT_NAMES | `severity:${Severity}`;

const SEVERITY = 'severity:';
/** Short names of kinds of findings. */
const SHORT_NAMES = { conflict: 'canonical-conflict', sitemap: 'listed-not-indexable' } as const;

/** All kinds. */
export const FAIL_ON: readonly FailOn[] = [
  ...REASONS,
  'any',
  ...(Object.keys(SHORT_NAMES) as (keyof typeof SHORT_NAMES)[]),
  ...FINDING_CODES,
  ...SEVERITIES.map((severity) => `severity:${severity}` as const),
];

/** URLs of a group that are listed. */
const MAX_LISTED = 100;

/** URLs with a fault, for one crawler. */
export interface FailureGroup {
  readonly agent: string;
  readonly kind: FailOn;
  readonly count: number;
  /** The first 100, in alphabetical order. */
  readonly urls: readonly { readonly url: string; readonly reason: string }[];
}

/**
 * Finds faults: a group for each crawler and kind, which may be empty. Reasons are about indexing: they are no faults for crawlers that do
 * not index pages, unless the run has no other ones.
 */
export function findFailures(run: RunStore, kinds: readonly FailOn[]): FailureGroup[] {
  const { agents } = getSettings(run);
  const indexing = agents.filter(isIndexingCrawler);
  return agents.flatMap((agent, place) =>
    kinds.map((kind) => {
      const group = new FailureCollector();
      const code = toFindingCode(kind);
      if (code !== undefined)
        for (const { url, detail, targets } of run.findings.list(code, place))
          group.add(url, detail ?? targets.join(', '));
      else if (kind.startsWith(SEVERITY))
        for (const { url, codes } of run.findings.listWorst(place, kind.slice(SEVERITY.length) as Severity))
          group.add(url, codes);
      else if (indexing.length === 0 || indexing.includes(agent))
        collectReasons(run, place, kind as Reason | 'any', group);
      return { agent, kind, count: group.count, urls: group.urls() };
    }),
  );
}

/** Counts URLs, and stores the first of them. */
class FailureCollector {
  count = 0;
  #first: { url: string; reason: string }[] = [];

  add(url: string, reason: string): void {
    this.count++;
    this.#first.push({ url, reason });
    if (this.#first.length >= MAX_LISTED * 10) this.#first = this.urls();
  }

  urls(): { url: string; reason: string }[] {
    return this.#first.sort((a, b) => (a.url < b.url ? -1 : 1)).slice(0, MAX_LISTED);
  }
}

function toFindingCode(kind: FailOn): FindingCode | undefined {
  const code = SHORT_NAMES[kind as keyof typeof SHORT_NAMES] ?? kind;
  return FINDING_CODES.find((each) => each === code);
}

function collectReasons(
  { rows }: RunStore,
  agent: number,
  kind: Reason | 'any',
  group: FailureCollector,
): void {
  const mask = packReasons(kind === 'any' ? REASONS : [kind]);
  for (const { url, reasons } of rows.urlsWithReasons(agent, mask))
    group.add(url, unpackReasons(reasons).join(', '));
}
