// Judges all captures of inputs, and writes the tables. The bytes of the tables do not depend on the number of threads.
import { availableParallelism } from 'node:os';
import { ThreadPool } from '../threads/thread-pool.ts';
import { RunningTask, type SentTask } from './batch-channel.ts';
import { InputTotals, type InputTotalsData } from './input-totals.ts';
import type { SiteOptions } from './inputs/sites/fetch-sites.ts';
import { createTasks } from './inputs/sites/site-tasks.ts';
import type { InputFile, Task } from './inputs/task.ts';
import { type ReadBatch, type ReaderSettings, TaskReader } from './task-reader.ts';

/** Tasks for each thread that run, or whose results wait for those of earlier tasks. */
const TASKS_PER_THREAD = 3;

/** What is returned of a task whose rest is not read. */
const NOTHING_READ: InputTotalsData = new InputTotals().toData();

/** How inputs are judged. */
export interface JudgeInputsOptions extends ReaderSettings {
  /** The number of threads; with 0 this thread judges. @defaultValue the number of processors */
  readonly threads?: number;
  /** How sites are fetched. @defaultValue sites are an error */
  readonly sites?: SiteOptions | undefined;
  /** Its abort ends the work. */
  readonly signal?: AbortSignal | undefined;
}

/** A batch of a task, or its end. */
export interface JudgedPart {
  readonly task: Task;
  readonly result: { readonly batch: ReadBatch } | { readonly totals: InputTotalsData };
}

/**
 * Judges inputs. Yields the results in the order of the inputs. A file is in the batch of its first capture, and perhaps in later ones.
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
): AsyncGenerator<JudgedPart> {
  const settings: ReaderSettings = { agents, profile, readAs, lint, remote };
  // It also checks the settings.
  const reader = new TaskReader(settings);
  const stop = new AbortController();
  const stopping = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const tasks = createTasks(inputs, { profile, sites }, stopping);
  try {
    if (threads > 0 && inputs.length > 0) {
      yield* judgeInThreads(tasks, settings, Math.min(threads, inputs.length), signal);
      return;
    }
    let index = 0;
    for await (const task of tasks) yield* readTask(task, reader.read(index++, task, signal), signal);
  } finally {
    // Sites that are being fetched are of no use.
    stop.abort();
    await tasks.return(undefined).catch(() => {});
  }
}

async function* readTask(
  task: Task,
  batches: AsyncGenerator<ReadBatch, InputTotalsData>,
  signal: AbortSignal | undefined,
): AsyncGenerator<JudgedPart> {
  try {
    for (let isEnd = false; !isEnd; ) {
      signal?.throwIfAborted();
      const part = toPart(task, await batches.next());
      isEnd = 'totals' in part.result;
      yield part;
    }
  } finally {
    // The caller may take no more.
    await batches.return(NOTHING_READ);
  }
}

function toPart(task: Task, { done, value }: IteratorResult<ReadBatch, InputTotalsData>): JudgedPart {
  return { task, result: done === true ? { totals: value } : { batch: value } };
}

async function* judgeInThreads(
  tasks: AsyncIterator<Task>,
  settings: ReaderSettings,
  threads: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<JudgedPart> {
  let failure: unknown;
  const pool = new ThreadPool<SentTask, void>({
    file: new URL('./census-worker.js', import.meta.url),
    threads,
    workerData: settings,
    // More would take memory in each thread, and no less time.
    newMegabytes: 24,
    // One task waits for its file while the other is judged.
    tasksPerThread: 2,
    // A task waits while its batches are unread. If a later one ran before one that waits for a thread, both would wait for ever.
    keepsOrder: true,
    onError: (error) => {
      failure ??= error;
    },
  });
  // The pool does not keep the order of tasks with a signal. Without threads, all tasks fail.
  const onAbort = (): void => void pool.close();
  signal?.addEventListener('abort', onAbort, { once: true });
  const running: RunningTask[] = [];
  let index = 0;
  let upcoming: Promise<IteratorResult<Task>> | undefined;
  let isOver = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (!isOver && running.length < threads * TASKS_PER_THREAD) upcoming ??= tasks.next();
      const [first] = running;
      if (upcoming === undefined && first === undefined) return;
      // Sites take their time: what is ready before is not to wait for them.
      const next = await Promise.race([
        ...(upcoming ? [upcoming] : []),
        ...(first ? [first.peek().then(() => null)] : []),
      ]);
      if (next !== null) {
        upcoming = undefined;
        if (next.done) isOver = true;
        else running.push(new RunningTask(pool, index++, next.value));
      } else if (first !== undefined) {
        const part = toPart(first.task, await first.next());
        if (failure !== undefined) throw failure;
        if ('totals' in part.result) running.shift();
        yield part;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // A failure of the tasks was thrown, or is of no interest any more.
    upcoming?.catch(() => {});
    await pool.close();
  }
}
