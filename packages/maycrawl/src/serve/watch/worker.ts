// The thread that compares versions, counts URLs and checks tests for the routes of the monitor. Each task may take seconds.
import { resolveAgent } from '@maycrawl/core';
import {
  ExpectationError,
  parseExpectations,
  requireValidExpectations,
} from '../../expectations/expectations.ts';
import { examine as examineFiles } from '../routes/file-worker.ts';
import { countUrlsOverTime, type UrlsTask } from './urls-over-time.ts';

export type WatchTask =
  | { readonly kind: 'diff'; readonly files: readonly Uint8Array[] }
  | { readonly kind: 'urls'; readonly input: UrlsTask }
  | { readonly kind: 'tests'; readonly text: string };

/** Runs a task. @returns the response in JSON; for tests, the error message, or an empty text if they are valid. */
export async function examine(task: WatchTask): Promise<string> {
  if (task.kind === 'diff') return examineFiles({ kind: 'diff', files: task.files, profile: 'google' });
  if (task.kind === 'urls') return JSON.stringify(countUrlsOverTime(task.input));
  try {
    requireValidExpectations(await parseExpectations(task.text, resolveAgent));
    return '';
  } catch (error) {
    if (error instanceof ExpectationError) return error.message;
    throw error;
  }
}
