import { examine } from '../../src/watch/analysis/analysis.ts';
import type { Analyse } from '../../src/watch/analysis/analysis-threads.ts';

/** Analyses in this thread, because worker threads load built modules. */
export const analyseHere: Analyse = async (task, { onStart }) => {
  await onStart();
  return examine(task);
};
