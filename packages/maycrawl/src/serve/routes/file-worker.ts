// The thread that parses, lints and compares files for file-routes.ts. A proof may take seconds.
import { type Profile, parse, type RobotsTxt, resolveAgent } from '@maycrawl/core';
import { lint } from '@maycrawl/core/lint';
import { compareDeclarations } from '@maycrawl/core/preferences';
import { compareFiles } from '@maycrawl/core/proofs';
import { RESPONSE_LISTS } from '../../reports/bounded-list.ts';
import { comparisonReport } from '../../reports/comparison.ts';
import { documentReport } from '../../reports/document.ts';
import { boundedFindingsReport } from '../../reports/findings.ts';
import { getProfile } from '../decide/profile-name.ts';

/** A request for a report about one file, or about two. */
export interface FileTask {
  readonly kind: 'parse' | 'lint' | 'diff';
  readonly files: readonly (string | Uint8Array)[];
  /** The name of an existing profile. */
  readonly profile: string;
  /** Crawlers to compare for. @defaultValue all that the files name */
  readonly agents?: readonly string[];
}

/** Runs a task. @returns the report, in JSON. */
export function examine({ kind, files, profile: name, agents }: FileTask): string {
  const profile: Profile = getProfile(name);
  const [robots, after] = files.map((file) => parse(file, { profile })) as [RobotsTxt, RobotsTxt];
  if (kind === 'parse') return JSON.stringify(documentReport(robots, RESPONSE_LISTS));
  if (kind === 'lint') return JSON.stringify(boundedFindingsReport(lint(robots), RESPONSE_LISTS));
  const crawlers = agents?.map(resolveAgent);
  const comparison = compareFiles(robots, after, { ...(crawlers && { crawlers }) });
  const declarations = compareDeclarations(robots, after, { ...(crawlers && { crawlers }) });
  return JSON.stringify(comparisonReport(comparison, { declarations, limits: RESPONSE_LISTS }));
}
