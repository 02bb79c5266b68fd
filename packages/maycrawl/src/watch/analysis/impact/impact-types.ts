// Impacts of changes, and what is important to the owner of a site.
import type { Aspect } from '../../../api/watch/aspects.ts';
import type { Expectation } from '../../../expectations/expectations.ts';
import type { Severity, SiteSettings } from '../../site.ts';

/** A part of an impact, in words and as data. */
export interface FileImpact {
  readonly aspects: readonly Aspect[];
  /** The most important line first. */
  readonly lines: readonly string[];
  readonly details: object;
}

/** A change and its impact, in words and as data. */
export interface Impact {
  readonly kind: Aspect;
  readonly aspects: readonly Aspect[];
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  readonly details: object;
}

/** What is important to the owner of a site. */
export interface ImpactOptions {
  readonly origin: string;
  readonly settings: SiteSettings;
  /** URLs whose verdicts matter. Those of other sites are ignored. */
  readonly urls: readonly string[];
  readonly expectations: readonly Expectation[];
}
