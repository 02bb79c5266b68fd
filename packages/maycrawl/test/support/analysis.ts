import { examine } from '../../src/watch/analysis/analysis.ts';
import type { Analyse } from '../../src/watch/analysis/analysis-threads.ts';

/** Analyses in this thread, as threads take built modules. */
export const analyseHere: Analyse = async (task, { onStart }) => {
  await onStart();
  return examine(task);
};
