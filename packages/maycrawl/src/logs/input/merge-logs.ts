// Merges the requests of several logs by their times: rotated files, which follow each other, and the files of several servers, which overlap.
import type { LogRequest } from '../request.ts';

/** The requests of a log in the order of their times. */
export interface SortedLog {
  /** The time of its first line in milliseconds since 1970. */
  readonly start: number;
  /** Is called when that time comes. */
  readonly read: () => AsyncIterable<readonly LogRequest[]>;
}

/** A log that is being read, and its next request. */
interface OpenLog {
  readonly iterator: AsyncIterator<readonly LogRequest[]>;
  batch: readonly LogRequest[];
  index: number;
}

/** Merges logs. A log is opened when its time comes, so that memory depends on the number of logs that overlap. */
export async function* mergeLogs(logs: readonly SortedLog[]): AsyncGenerator<readonly LogRequest[]> {
  const waiting = [...logs].sort((a, b) => a.start - b.start);
  const open: OpenLog[] = [];
  try {
    for (;;) {
      const first = findFirst(open);
      const next = waiting[0];
      if (next !== undefined && (first === undefined || next.start <= getTime(first))) {
        waiting.shift();
        const log: OpenLog = { iterator: next.read()[Symbol.asyncIterator](), batch: [], index: 0 };
        open.push(log);
        if (!(await readNext(log))) open.splice(open.indexOf(log), 1);
        continue;
      }
      if (first === undefined) return;
      const others = open.filter((log) => log !== first).map(getTime);
      const end = Math.min(next?.start ?? Number.POSITIVE_INFINITY, ...others);
      yield takeUntil(first, end);
      if (first.index === first.batch.length && !(await readNext(first))) open.splice(open.indexOf(first), 1);
    }
  } finally {
    for (const { iterator } of open) await iterator.return?.();
  }
}

function getTime({ batch, index }: OpenLog): number {
  return batch[index]?.time ?? Number.POSITIVE_INFINITY;
}

/** Finds the log with the earliest next request; of several the one that was opened first. */
function findFirst(open: readonly OpenLog[]): OpenLog | undefined {
  return open.reduce<OpenLog | undefined>(
    (first, log) => (first === undefined || getTime(log) < getTime(first) ? log : first),
    undefined,
  );
}

/** Takes the next requests of a log: the first one, and all that follow up to a time. */
function takeUntil(log: OpenLog, end: number): readonly LogRequest[] {
  const from = log.index++;
  while (log.index < log.batch.length && getTime(log) <= end) log.index++;
  return log.batch.slice(from, log.index);
}

/** Reads the next batch. @returns whether there is one. */
async function readNext(log: OpenLog): Promise<boolean> {
  do {
    const { value, done } = await log.iterator.next();
    if (done) return false;
    log.batch = value;
    log.index = 0;
  } while (log.batch.length === 0);
  return true;
}
