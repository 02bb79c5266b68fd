// Findings with the same message as one, for people. Programs read each finding.

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

/** Maximum number of listed lines and ranges of lines. */
const MAX_LISTED = 5;

/**
 * Formats line numbers: `line 3`, `lines 3 and 7`, `lines 3-29, 31, 40, 52, 64 and 12 more`.
 *
 * @param lines - at least one, in ascending order.
 */
export function formatLines(lines: readonly number[]): string {
  const names: string[] = [];
  let listed = 0;
  while (listed < lines.length && names.length < MAX_LISTED) {
    const first = lines[listed] as number;
    let count = 1;
    while (lines[listed + count] === first + count) count++;
    // Two lines are not shorter as a range.
    if (count === 2) count = 1;
    names.push(count === 1 ? String(first) : `${first}-${first + count - 1}`);
    listed += count;
  }
  if (listed < lines.length) names.push(`${lines.length - listed} more`);
  const last = names.pop() as string;
  const word = lines.length === 1 ? 'line' : 'lines';
  return names.length === 0 ? `${word} ${last}` : `${word} ${names.join(', ')} and ${last}`;
}
