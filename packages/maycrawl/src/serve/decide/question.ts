/**
 * What a client asks the service to decide.
 *
 * @module
 */
import type { NamedAgent } from './agents.ts';

/** A URL, and the crawler. */
export interface Question {
  readonly url: string;
  readonly agent: NamedAgent;
}
