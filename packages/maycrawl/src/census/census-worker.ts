/**
 * The thread that reads tasks for judge-inputs.ts.
 *
 * @module
 */
import { workerData } from 'piscina';
import type { Task } from './inputs/task.ts';
import { type ReaderSettings, TaskReader, type TaskResult } from './task-reader.ts';

const reader = new TaskReader(workerData as ReaderSettings);

/** Reads a task. */
export function examine(task: Task): Promise<TaskResult> {
  return reader.read(task);
}
