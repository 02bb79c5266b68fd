// Jobs as data that a thread can receive.
import { MAX_QUESTION_BYTES } from './question.ts';
import { QuestionJudge } from './questions.ts';
import type { LineJudge } from './result-lines.ts';
import { MAX_URL_BYTES, type UrlListJob, UrlListJudge } from './url-list.ts';

/** Questions in JSON, or a list of URLs. */
export type Job = { readonly kind: 'questions' } | UrlListJob;

export function createLineJudge(job: Job): LineJudge {
  return job.kind === 'questions' ? new QuestionJudge() : new UrlListJudge(job);
}

/** Returns the maximum length of a line in bytes. */
export function getMaxLineBytes({ kind }: Job): number {
  return kind === 'questions' ? MAX_QUESTION_BYTES : MAX_URL_BYTES;
}

/** Bytes of questions in a task: some tens of them with a file each. */
const QUESTION_TASK_BYTES = 256 * 1024;
/** Bytes of URLs in a task. A result in JSON can be a hundred times as long as its URL, so that the results have some MiB. */
const URL_TASK_BYTES = 64 * 1024;
/** The smallest task, in bytes. */
const MIN_TASK_BYTES = 4 * 1024;

/** Returns the bytes of lines that a thread judges in one task. */
export function getTaskBytes(job: Job): number {
  if (job.kind === 'questions') return QUESTION_TASK_BYTES;
  return Math.max(MIN_TASK_BYTES, Math.floor(URL_TASK_BYTES / job.crawlers.length));
}
