/**
 * The URL and the crawler of a decision.
 *
 * @module
 */
import type { NamedAgent } from './agents.ts';

/** A URL, and the crawler. */
export interface Question {
  readonly url: string;
  readonly agent: NamedAgent;
}
