// The analysis of a check: the impact of a response. It processes untrusted files, so it runs in a thread that can be ended
// (analysis-threads.ts), whose entry point this module is.
import { resolveAgent } from '@maycrawl/core';
import { parseExpectations } from '../../expectations/expectations.ts';
import { readUrlLines } from '../../lines/url-lines.ts';
import type { SiteSettings } from '../site.ts';
import type { EarlierVersions } from './earlier-versions.ts';
import { getImpact } from './impact/impact.ts';
import type { Impact } from './impact/impact-types.ts';
import type { SiteState } from './site-state.ts';

/** What an analysis works on. It can be copied to a thread. */
export interface AnalysisTask {
  readonly origin: string;
  readonly settings: SiteSettings;
  readonly before: SiteState;
  readonly after: SiteState;
  readonly earlier: EarlierVersions;
  /** The owner's list of URLs, one a line; empty if there is none. */
  readonly urls: string;
  /** The owner's expectations in YAML; empty if there are none. */
  readonly tests: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Computes the impact of a change.
 *
 * @returns `undefined` if nothing has changed.
 * @throws {ExpectationError} if the tests cannot be read.
 */
export async function examine(task: AnalysisTask): Promise<Impact | undefined> {
  const { origin, settings, before, after, earlier, tests, now } = task;
  const urls = readUrlLines(task.urls);
  const expectations = tests === '' ? [] : await parseExpectations(tests, resolveAgent);
  return getImpact(before, after, { origin, settings, urls, expectations }, now, earlier);
}
