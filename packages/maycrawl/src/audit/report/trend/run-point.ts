// The summary of a run as a point of a trend: the file `summary.json` in its folder. It stays when the run is deleted.
import type { RunPoint } from '../../../api/audits-api.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { RunEnd } from '../../run/settings.ts';
import { ReportFile } from '../report-file.ts';
import { describeEnd, summarizeRun } from '../summary.ts';

/** The name of the file in the folder of a run. */
export const SUMMARY_FILE = 'summary.json';

/** The facts of a run besides its contents. */
export interface PointDetails extends Partial<Pick<RunPoint, 'comparedWith' | 'changes'>> {
  /** Why its results do not count although its crawl ended, in a sentence. */
  readonly failure?: string;
}

/** States by the ends of crawls. */
const STATES: Readonly<Record<RunEnd['reason'], RunPoint['state']>> = {
  complete: 'complete',
  'max-pages': 'limited',
  'sitemap-time': 'limited',
  'no-responses': 'unfinished',
  interrupted: 'unfinished',
};

/** Summarizes a run that has verdicts. */
export function createRunPoint(run: RunStore, details: PointDetails = {}): RunPoint {
  const { settings, end, counts, agents } = summarizeRun(run);
  const { failure, comparedWith = null, changes = [] } = details;
  return {
    starts: settings.starts,
    startedAt: new Date(settings.startedAt).toISOString(),
    endedAt: end === null ? null : new Date(end.at).toISOString(),
    state: end === null || failure !== undefined ? 'unfinished' : STATES[end.reason],
    ending: failure ?? describeEnd(end, counts),
    agents: agents.map(({ agent, judged, indexable, primary: reasons, findings }) => ({
      ...{ agent, judged, indexable, reasons },
      findings: findings.map(({ largest: _, ...finding }) => finding),
    })),
    ...{ comparedWith, changes },
  };
}

/** Writes the summary. @param path - of the file. @throws {Error} with a `path` if it cannot be written. */
export async function writeRunPoint(path: string, point: RunPoint): Promise<void> {
  const file = await ReportFile.open(path);
  try {
    await file.add(`${JSON.stringify(point, null, 2)}\n`);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
