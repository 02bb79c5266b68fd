// What `maycrawl verify` finds about a deployment.
import type { StageComparison } from '../../../deployment/compare-stages.ts';
import type { StagedFile } from '../../../deployment/deployed-file.ts';
import type { EnvironmentReport } from '../../../deployment/environment.ts';

/** What was read at a stage. */
export interface ReadFile extends StagedFile {
  /** The URLs of the redirects to it. */
  readonly redirects: readonly string[];
  /** What should be known about it: one sentence each. */
  readonly notes: readonly string[];
}

/** The comparisons of all pairs of the given files, and the requirement of the environment. */
export interface DeploymentReport {
  readonly files: readonly ReadFile[];
  readonly pairs: readonly StageComparison[];
  readonly environment: EnvironmentReport | null;
  /** Whether managed blocks are accepted. */
  readonly acceptManaged: boolean;
}

/** Whether two stages are the same, as far as the user wants it; `null` if that is undecided. */
export function isAccepted(
  { equivalent, equivalentWithoutBlocks }: StageComparison,
  { acceptManaged }: Pick<DeploymentReport, 'acceptManaged'>,
): boolean | null {
  return acceptManaged ? equivalentWithoutBlocks : equivalent;
}
