/**
 * What answers lines, in whichever thread: a job is data that a thread can be handed, and makes an answerer there.
 *
 * @module
 */

import type { LineAnswerer } from './answer-piece.ts';
import { QuestionAnswerer } from './questions.ts';
import { UrlAnswerer, type UrlListJob } from './url-answerer.ts';

/** What to do with the lines: answer questions in JSON, or decide about URLs. */
export type Job = { readonly kind: 'questions' } | UrlListJob;

/** The answerer for a job. */
export function makeAnswerer(job: Job): LineAnswerer {
  return job.kind === 'questions' ? new QuestionAnswerer() : new UrlAnswerer(job);
}
