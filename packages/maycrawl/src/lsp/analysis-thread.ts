// Threads for analysis.ts: the linter takes seconds for a file of 500 kB, in which keys must have their effect.
import { ThreadPool } from '../threads/thread-pool.ts';
import type { AnalysisResults, AnalysisTask, RunAnalysis } from './analysis.ts';

/** The second one lets a quick fix start while the linter runs. */
const THREADS = 2;

/** Starts threads when they are needed. @param onError - receives failures that belong to no task. */
export function createAnalysisThreads(onError: (error: unknown) => void): {
  readonly run: RunAnalysis;
  readonly close: () => Promise<void>;
} {
  const pool = new ThreadPool<AnalysisTask, AnalysisResults[AnalysisTask['kind']]>({
    file: new URL('./analysis-worker.js', import.meta.url),
    threads: THREADS,
    onError,
  });
  return { run: (task) => pool.run(task) as Promise<never>, close: () => pool.close() };
}
