// Jobs as data that a thread can receive.
import { MAX_JSON_LINE_BYTES } from './json-line.ts';
import { JsonLineJudge } from './json-line-judge.ts';
import type { LineJudge } from './result-lines.ts';
import { MAX_URL_BYTES, type UrlListJob, UrlListJudge } from './url-list.ts';

/** Lines in JSON, or a list of URLs. */
export type Job = { readonly kind: 'json-lines' } | UrlListJob;

export function createLineJudge(job: Job): LineJudge {
  return job.kind === 'json-lines' ? new JsonLineJudge() : new UrlListJudge(job);
}

/** Returns the maximum length of a line in bytes. */
export function getMaxLineBytes({ kind }: Job): number {
  return kind === 'json-lines' ? MAX_JSON_LINE_BYTES : MAX_URL_BYTES;
}

/** Bytes of lines in JSON in a task: some tens of them with a file each. */
const JSON_TASK_BYTES = 256 * 1024;
/** Bytes of URLs in a task. A result in JSON can be a hundred times as long as its URL, so that the results have some MiB. */
const URL_TASK_BYTES = 64 * 1024;
/** The smallest task, in bytes. */
const MIN_TASK_BYTES = 4 * 1024;

/** Returns the bytes of lines that a thread judges in one task. */
export function getTaskBytes(job: Job): number {
  if (job.kind === 'json-lines') return JSON_TASK_BYTES;
  return Math.max(MIN_TASK_BYTES, Math.floor(URL_TASK_BYTES / job.crawlers.length));
}
