// Findings with the same message as one, for people. Programs read each finding.
import { formatLines } from '../model/diagnostics/format-lines.ts';

/** What a group needs to know of a finding or diagnostic. */
interface Remark {
  readonly code: string;
  readonly line: number;
}

/** Findings with the same code and message. */
export interface FindingGroup<T extends Remark> {
  /** In the order of the file. */
  readonly findings: readonly [T, ...T[]];
  /** Where they are: `line 3`, or `lines 3-29 and 40`. */
  readonly lines: string;
}

/**
 * Groups findings with the same code and message.
 *
 * @param findings - in the order of the file, as `lint` and `diagnose` return them.
 * @param describe - returns the message.
 * @returns the groups in the order of their first findings.
 */
export function groupFindings<T extends Remark>(
  findings: readonly T[],
  describe: (finding: T) => string,
): FindingGroup<T>[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const finding of findings) {
    const key = `${finding.code} ${describe(finding)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].map((group) => ({
    findings: group,
    lines: formatLines([...new Set(group.map(({ line }) => line))]),
  }));
}
