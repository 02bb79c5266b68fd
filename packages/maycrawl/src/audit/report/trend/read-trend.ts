// The trend of audits: the summaries of the runs in a folder, by site. Symbolic links are not followed.
import { constants } from 'node:fs';
import { lstat, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { timeSlices } from '@maycrawl/client/internal';
import { REASONS } from '@maycrawl/core/indexability';
import type { AuditTrend, NamedRunPoint, RunPoint } from '../../../api/audits-api.ts';
import { SUMMARY_FILE } from './run-point.ts';

/** Maximum size of a summary, in bytes. */
const MAX_BYTES = 256 * 1024;
/** Maximum number of runs of a trend. */
const MAX_RUNS = 400;
/** Folders that are read together. */
const BATCH = 64;

/** Returns the name of a site in a trend: the starts of its audits. */
export function getSiteName({ starts }: Pick<RunPoint, 'starts'>): string {
  return starts.join(' ');
}

/** Reads the summaries of all runs in a folder, the oldest first. Folders without a summary are no runs. */
export async function readRunPoints(folder: string): Promise<NamedRunPoint[]> {
  const points: NamedRunPoint[] = [];
  let names: string[] = [];
  const readBatch = async (): Promise<void> => {
    points.push(
      ...(await Promise.all(names.map((name) => readNamed(folder, name)))).filter((each) => each !== null),
    );
    names = [];
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  };
  for await (const entry of await opendir(folder)) {
    if (!entry.isDirectory()) continue;
    names.push(entry.name);
    if (names.length >= BATCH) await readBatch();
  }
  await readBatch();
  return points.sort(
    (a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt) || (a.name < b.name ? -1 : 1),
  );
}

/** Selects the trend of one site. @param site - its name. @defaultValue the one with the newest run */
export function selectTrend(points: readonly NamedRunPoint[], site?: string): AuditTrend {
  const sites = [...new Set(points.map(getSiteName))].sort();
  const newest = points.at(-1);
  const chosen = site ?? (newest && getSiteName(newest)) ?? null;
  const runs = points.filter((each) => getSiteName(each) === chosen).slice(-MAX_RUNS);
  return { sites, site: chosen, runs };
}

async function readNamed(folder: string, name: string): Promise<NamedRunPoint | null> {
  const point = await readRunPoint(join(folder, name, SUMMARY_FILE));
  if (point === null) return null;
  const report = await lstat(join(folder, name, 'report.html')).catch(() => undefined);
  return { name, hasReport: report?.isFile() === true && report.size > 0, ...point };
}

/** Reads a summary; `null` if it does not exist or is not a summary of this program. */
async function readRunPoint(path: string): Promise<RunPoint | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return null;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    const value: unknown = JSON.parse(await file.readFile('utf8'));
    return isRunPoint(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    await file.close();
  }
}

function isRunPoint(value: unknown): value is RunPoint {
  if (typeof value !== 'object' || value === null) return false;
  const { starts, startedAt, endedAt, state, ending, agents, comparedWith, changes } =
    value as Partial<RunPoint>;
  return (
    isList(starts, (each) => typeof each === 'string') &&
    isTime(startedAt) &&
    (endedAt === null || isTime(endedAt)) &&
    (state === 'complete' || state === 'limited' || state === 'unfinished') &&
    typeof ending === 'string' &&
    isList(agents, isAgent) &&
    (comparedWith === null || typeof comparedWith === 'string') &&
    isList(changes, (each) => hasTexts(each, ['kind', 'severity', 'title']))
  );
}

function isAgent(value: unknown): boolean {
  const { agent, judged, indexable, reasons, findings } = (value ?? {}) as Partial<
    RunPoint['agents'][number]
  >;
  return (
    typeof agent === 'string' &&
    isCount(judged) &&
    isCount(indexable) &&
    REASONS.every((reason) => isCount(reasons?.[reason])) &&
    isList(
      findings,
      (each) => hasTexts(each, ['code', 'severity', 'title']) && isCount((each as { count?: unknown }).count),
    )
  );
}

const isList = (value: unknown, isRight: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isRight);
const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'string');
