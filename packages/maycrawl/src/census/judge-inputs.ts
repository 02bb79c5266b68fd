/**
 * Judges all captures of inputs, and writes the tables. The bytes of the tables do not depend on the number of threads.
 *
 * @module
 */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { ThreadPool } from '../threads/thread-pool.ts';
import type { SiteOptions } from './inputs/sites/fetch-sites.ts';
import { createTasks } from './inputs/sites/site-tasks.ts';
import type { InputFile, Task } from './inputs/task.ts';
import type { CaptureRow, FileRow } from './tables/columns.ts';
import { DigestSet } from './tables/digest-set.ts';
import { type ReaderSettings, TaskReader, type TaskResult } from './task-reader.ts';

/** Tasks for each thread that run, or whose results wait for those of earlier tasks. */
const TASKS_PER_THREAD = 3;

/** How inputs are judged. */
export interface JudgeInputsOptions extends ReaderSettings {
  /** The number of threads; with 0 this thread judges. @defaultValue the number of processors */
  readonly threads?: number;
  /** How sites are fetched. @defaultValue sites are an error */
  readonly sites?: SiteOptions | undefined;
  /** Its abort ends the work. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a task. Its files are those that no earlier task has, in the order of their first captures. */
export interface JudgedTask extends TaskResult {
  readonly task: Task;
}

/**
 * Finds the files that no earlier task has. A thread returns a file once, and threads may run a later task first, so a file can arrive with
 * another task than that of its first capture.
 */
class DistinctFiles {
  readonly #written: DigestSet = new DigestSet();
  /** Files of tasks that are not selected yet, by digest. */
  readonly #received: Map<string, FileRow> = new Map();

  receive(files: readonly FileRow[]): void {
    for (const file of files) if (!this.#written.has(file.digest)) this.#received.set(file.digest, file);
  }

  /** Selects the new files of the next task, which were received. */
  select(captures: readonly CaptureRow[]): FileRow[] {
    return captures.flatMap(({ digest }) => {
      const file = digest === null ? undefined : this.#received.get(digest);
      if (digest === null || file === undefined) return [];
      this.#received.delete(digest);
      return this.#written.add(digest) ? [file] : [];
    });
  }
}

/**
 * Judges inputs. Yields the results in the order of the inputs.
 *
 * @throws {RangeError} if an agent or the profile does not exist.
 * @throws {TypeError} if there are sites without options for them.
 * @throws the signal's reason if it is aborted.
 */
export async function* judgeInputs(
  inputs: readonly InputFile[],
  {
    threads = availableParallelism(),
    signal,
    agents,
    profile,
    readAs = [],
    lint = false,
    remote,
    sites,
  }: JudgeInputsOptions,
): AsyncGenerator<JudgedTask> {
  const settings: ReaderSettings = { agents, profile, readAs, lint, remote };
  // It also checks the settings.
  const reader = new TaskReader(settings);
  const files = new DistinctFiles();
  const stop = new AbortController();
  const stopping = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const tasks = createTasks(inputs, { profile, sites }, stopping);
  try {
    if (threads > 0 && inputs.length > 0) {
      yield* judgeInThreads(tasks, files, settings, Math.min(threads, inputs.length), signal);
      return;
    }
    for await (const task of tasks) {
      signal?.throwIfAborted();
      const result = await reader.read(task, signal);
      files.receive(result.files);
      yield { task, ...result, files: files.select(result.captures) };
    }
  } finally {
    // Sites that are being fetched are of no use.
    stop.abort();
    await tasks.return(undefined).catch(() => {});
  }
}

/** A task that runs in a thread, or whose result waits for those of earlier tasks. */
interface RunningTask {
  readonly task: Task;
  readonly result: Promise<TaskResult>;
}

async function* judgeInThreads(
  tasks: AsyncIterator<Task>,
  files: DistinctFiles,
  settings: ReaderSettings,
  threads: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<JudgedTask> {
  let failure: unknown;
  const pool = new ThreadPool<Task, TaskResult>({
    file: new URL('./census-worker.js', import.meta.url),
    threads,
    workerData: settings,
    onError: (error) => {
      failure ??= error;
    },
  });
  // Each task that runs listens.
  if (signal !== undefined) setMaxListeners(0, signal);
  const running: RunningTask[] = [];
  let upcoming: Promise<IteratorResult<Task>> | undefined;
  let isOver = false;
  try {
    for (;;) {
      if (!isOver && running.length < threads * TASKS_PER_THREAD) upcoming ??= tasks.next();
      const [first] = running;
      if (upcoming === undefined && first === undefined) return;
      // Sites take their time: what is ready before is not to wait for them.
      const next = await Promise.race([
        ...(upcoming ? [upcoming] : []),
        ...(first ? [first.result.then(() => null)] : []),
      ]);
      if (next !== null) {
        upcoming = undefined;
        if (next.done) isOver = true;
        else running.push(run(next.value));
      } else if (first !== undefined) {
        running.shift();
        const result = await first.result;
        if (failure !== undefined) throw failure;
        yield { task: first.task, ...result, files: files.select(result.captures) };
      }
    }
  } finally {
    // A failure of the tasks was thrown, or is of no interest any more.
    upcoming?.catch(() => {});
    await pool.close();
  }

  function run(task: Task): RunningTask {
    const result = pool.run(task, signal).then((read) => {
      files.receive(read.files);
      return read;
    });
    // A failure is thrown when its turn comes, which may be never.
    result.catch(() => {});
    return { task, result };
  }
}
