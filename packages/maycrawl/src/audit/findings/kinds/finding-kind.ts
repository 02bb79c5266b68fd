/**
 * The properties of a kind of findings, and its documentation.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
import type { Source } from '../sources.ts';

/** A kind of findings. */
export interface FindingKind {
  /** `error`: URLs are lost, or a statement of the site has no effect; `warning`: it wastes requests or weakens the site; `info`: often intended. */
  readonly severity: Severity;
  /** The sentence about one URL, and the one about several, in which `#` stands for their number. */
  readonly one: string;
  readonly many: string;
  readonly cost: string;
  readonly action: string;
}

/** The documentation of a kind of findings. */
export interface FindingDocumentation {
  /** When a URL has the finding, in sentences. */
  readonly decision: string;
  /** In one line. */
  readonly example: string;
  readonly source: Source;
}
