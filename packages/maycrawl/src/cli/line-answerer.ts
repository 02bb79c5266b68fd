/**
 * What answers lines, in whichever thread: a job is data that a thread can be handed, and makes an answerer there.
 *
 * @module
 */

import type { Block } from './line-reader.ts';
import { QuestionAnswerer } from './questions.ts';
import { UrlAnswerer, type UrlListJob } from './url-list.ts';

/** What to do with the lines: answer questions in JSON, or decide about URLs. */
export type Job = { readonly kind: 'questions' } | UrlListJob;

/** The answers to some lines. */
export interface Answered {
  /** The answers, a line each. */
  readonly text: string;
  readonly allowed: number;
  readonly disallowed: number;
  /** Lines that got no answer, but an error. */
  readonly failed: number;
}

/** Answers blocks of lines. */
export interface LineAnswerer {
  answer(block: Block): Answered;
}

/** The answerer for a job. */
export function makeAnswerer(job: Job): LineAnswerer {
  return job.kind === 'questions' ? new QuestionAnswerer() : new UrlAnswerer(job);
}
