// What the formats of findings show.
import type { RobotsTxt } from '@maycrawl/core';
import type { Finding } from '@maycrawl/core/lint';

/** The findings in a file. */
export interface Report {
  /** As on the command line. */
  readonly name: string;
  readonly robots: RobotsTxt;
  readonly findings: readonly Finding[];
}
