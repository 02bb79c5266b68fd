/**
 * The thread in which the monitor's routes compare versions, count URLs and read tests: each may take seconds.
 *
 * @module
 */
import { parse, resolveAgent } from '@maycrawl/core';
import { checkExpectations, ExpectationError, parseExpectations } from '../../expectations/expectations.ts';
import { examine as examineFiles } from '../routes/file-worker.ts';
import { type UrlsQuestion, urlsOverTime } from './urls-over-time.ts';

/** What is wanted. */
export type WatchTask =
  | { readonly kind: 'diff'; readonly files: readonly Uint8Array[] }
  | { readonly kind: 'urls'; readonly question: UrlsQuestion }
  | { readonly kind: 'tests'; readonly text: string };

/** The answer in JSON; for tests, what is wrong with them: nothing if it is empty. */
export async function examine(task: WatchTask): Promise<string> {
  if (task.kind === 'diff') return examineFiles({ kind: 'diff', files: task.files, profile: 'google' });
  if (task.kind === 'urls') return JSON.stringify(urlsOverTime(task.question));
  try {
    const nothing = parse('');
    checkExpectations(nothing, await parseExpectations(task.text, resolveAgent));
    return '';
  } catch (error) {
    if (error instanceof ExpectationError) return error.message;
    throw error;
  }
}
