// The thread of analysis.ts.
import { type AnalysisResults, type AnalysisTask, analyze } from './analysis.ts';

export function examine(task: AnalysisTask): Promise<AnalysisResults[AnalysisTask['kind']]> {
  return analyze(task);
}
