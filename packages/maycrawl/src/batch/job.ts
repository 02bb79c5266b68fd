/**
 * Jobs as data that a thread can receive.
 *
 * @module
 */
import { MAX_QUESTION_BYTES } from './question.ts';
import { QuestionJudge } from './questions.ts';
import type { LineJudge } from './result-lines.ts';
import { MAX_URL_BYTES, type UrlListJob, UrlListJudge } from './url-list.ts';

/** Questions in JSON, or a list of URLs. */
export type Job = { readonly kind: 'questions' } | UrlListJob;

/** Creates the judge for a job. */
export function createJudge(job: Job): LineJudge {
  return job.kind === 'questions' ? new QuestionJudge() : new UrlListJudge(job);
}

/** Returns the maximum length of a line in bytes. */
export function getMaxLineBytes({ kind }: Job): number {
  return kind === 'questions' ? MAX_QUESTION_BYTES : MAX_URL_BYTES;
}

/** Returns the number of results of each line. */
export function countResults(job: Job): number {
  return job.kind === 'questions' ? 1 : job.crawlers.length;
}
