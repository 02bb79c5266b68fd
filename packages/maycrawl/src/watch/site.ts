/**
 * A site that is watched, and how.
 *
 * @module
 */

/** From the least to the worst. */
export const SEVERITIES = ['info', 'notice', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A text that is kept with a site: the name of the file that it came from, and where its content is. */
export interface KeptText {
  readonly name: string;
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
}

/** How a site is watched. */
export interface SiteSettings {
  /** Milliseconds from one check to the next. */
  readonly every: number;
  /** Crawlers whose verdicts matter; all if empty. */
  readonly agents: readonly string[];
  /** URLs whose verdicts matter, one a line. */
  readonly urls?: KeptText;
  /** Expectations (docs/robots.test.schema.json). */
  readonly tests?: KeptText;
  /** Who is told (docs/watch.md). */
  readonly notify: readonly string[];
  /** What is worse, or less bad, than usual, by aspect (meaning.ts). */
  readonly severity?: Readonly<Record<string, Severity>>;
  /** Whether the operator named the origin on the command line. It may be on a private address then, and only then. */
  readonly isOriginOpen?: boolean;
  /** Those of `notify` that the operator set on the command line. They may be on private addresses then, and only then. */
  readonly openTargets?: readonly string[];
}

/** The worst of some severities. */
export function worstOf(severities: readonly Severity[]): Severity {
  return SEVERITIES[Math.max(0, ...severities.map((each) => SEVERITIES.indexOf(each)))] as Severity;
}
