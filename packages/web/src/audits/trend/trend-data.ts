// A trend for one crawler: the numbers of each run, and the kinds of errors that occur in any of them.
import { FINDING_CODES, FINDING_KINDS, type NamedRunPoint } from 'maycrawl/api';
import { OUTCOMES, type Outcome } from '../../report/data/outcome.ts';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';

/** The numbers of a run for one crawler. */
export interface Point {
  readonly run: NamedRunPoint;
  /** `null`: the run did not finish, or was not judged for this crawler. */
  readonly counts: {
    /** URLs by outcome, without zeros, in the order of the legend. */
    readonly parts: readonly { readonly outcome: Outcome; readonly count: number }[];
    readonly judged: number;
    readonly indexable: number;
    /** Findings with the severity `error`, by code. */
    readonly errors: ReadonlyMap<string, number>;
  } | null;
}

/** A kind of errors over the runs. */
export interface ErrorSeries {
  readonly code: string;
  /** By run; `null` without numbers. */
  readonly counts: readonly (number | null)[];
}

export function listAgents(runs: readonly NamedRunPoint[]): string[] {
  return [...new Set(runs.flatMap(({ agents }) => agents.map(({ agent }) => agent)))];
}

/** Returns the points for a crawler, the oldest first. */
export function createPoints(runs: readonly NamedRunPoint[], agent: string): Point[] {
  return runs.map((run) => {
    const found = run.state === 'unfinished' ? undefined : run.agents.find((each) => each.agent === agent);
    if (found === undefined) return { run, counts: null };
    const { judged, indexable, reasons, findings } = found;
    const parts = OUTCOMES.flatMap((outcome) => {
      const count = outcome === 'indexable' ? indexable : outcome === 'unjudged' ? 0 : reasons[outcome];
      return count > 0 ? [{ outcome, count }] : [];
    });
    const errors = new Map(
      findings.filter(({ severity }) => severity === 'error').map(({ code, count }) => [code, count]),
    );
    return { run, counts: { parts, judged, indexable, errors } };
  });
}

/** A pause is a time without audits that is longer than this multiple of the usual time between two. */
const PAUSE = 2.5;

/** Returns the indexes of runs before which no audit began for a long time. */
export function findPauses(points: readonly Point[]): number[] {
  const times = points.map(({ run }) => Date.parse(run.startedAt));
  const steps = times.slice(1).map((time, index) => time - (times[index] as number));
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return steps.flatMap((step, index) => (usual > 0 && step > PAUSE * usual ? [index + 1] : []));
}

/** Returns the kinds of errors that occur, those with the most in the last run first. */
export function createErrorSeries(points: readonly Point[]): ErrorSeries[] {
  const codes = new Set(points.flatMap(({ counts }) => [...(counts?.errors.keys() ?? [])]));
  const series = [...codes].map((code) => ({
    code,
    counts: points.map(({ counts }) => counts && (counts.errors.get(code) ?? 0)),
  }));
  return series.sort((a, b) => getLast(b.counts) - getLast(a.counts) || (a.code < b.code ? -1 : 1));
}

/** The sentence about a number of errors: "2 redirects lead into a loop". A kind of another release is shown by its code. */
export function describeErrors(code: string, count: number): string {
  const kind = FINDING_CODES.find((each) => each === code);
  if (kind === undefined) return `${formatNumber(count)} ${visible(code, 60)}`;
  const { one, many } = FINDING_KINDS[kind];
  return count === 1 ? one : many.replace('#', formatNumber(count));
}

/** The last number of a series; 0 without numbers. */
export function getLast(counts: readonly (number | null)[]): number {
  return counts.findLast((each) => each !== null) ?? 0;
}

export function sumErrors({ counts }: Point): number | null {
  return counts === null ? null : [...counts.errors.values()].reduce((sum, count) => sum + count, 0);
}
