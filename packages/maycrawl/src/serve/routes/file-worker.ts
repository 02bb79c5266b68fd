/**
 * The thread in which files are examined for file-routes.ts: a proof may take seconds, in which others must get their answers.
 *
 * @module
 */
import { type Profile, parse, type RobotsTxt, resolveAgent } from '@maycrawl/core';
import { lint } from '@maycrawl/core/lint';
import { compareFiles } from '@maycrawl/core/proofs';
import { ANSWER_LISTS } from '../../reports/bounded-list.ts';
import { comparisonReport } from '../../reports/comparison.ts';
import { documentReport } from '../../reports/document.ts';
import { boundedFindingsReport } from '../../reports/findings.ts';
import { profileNamed } from '../decide/profile-name.ts';

/** What is wanted, and the file, or both files. */
export interface FileTask {
  readonly kind: 'parse' | 'lint' | 'diff';
  readonly files: readonly (string | Uint8Array)[];
  /** By its name, which is one. */
  readonly profile: string;
  /** All if left out. */
  readonly agents?: readonly string[];
}

/** The report, in JSON. */
export function examine({ kind, files, profile: name, agents }: FileTask): string {
  const profile: Profile = profileNamed(name);
  const [robots, after] = files.map((file) => parse(file, { profile })) as [RobotsTxt, RobotsTxt];
  if (kind === 'parse') return JSON.stringify(documentReport(robots, ANSWER_LISTS));
  if (kind === 'lint') return JSON.stringify(boundedFindingsReport(lint(robots), ANSWER_LISTS));
  const crawlers = agents?.map(resolveAgent);
  const comparison = compareFiles(robots, after, { ...(crawlers && { crawlers }) });
  return JSON.stringify(comparisonReport(comparison, { limits: ANSWER_LISTS }));
}
