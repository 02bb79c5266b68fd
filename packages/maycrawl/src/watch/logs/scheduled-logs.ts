// The access logs of a monitor.
import { type EventReport, toEventReport } from '../event-report.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { LogRepository } from './log-repository.ts';
import { type LogWorkerOptions, workLogs } from './log-worker.ts';
import { readTimeline } from './site-timeline.ts';

export interface ScheduledLogsOptions
  extends Pick<LogWorkerOptions, 'signal' | 'now' | 'sleep' | 'once' | 'onError'> {
  /** Receives the origin and the path of each access log that was read, and the events. */
  readonly onLogRead?: (origin: string, path: string, events: readonly EventReport[]) => void;
}

/** Reads access logs until the signal aborts; with `once`, until none is due. */
export async function readScheduledLogs(
  database: WatchDatabase,
  { onLogRead, ...options }: ScheduledLogsOptions,
): Promise<void> {
  await workLogs({
    ...options,
    repository: new LogRepository(database),
    readTimeline: (origin) => readTimeline(database, origin),
    onRead: (origin, path, events) => onLogRead?.(origin, path, events.map(toEventReport)),
  });
}
