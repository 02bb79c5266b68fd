/**
 * The thread that reads tasks for judge-inputs.ts.
 *
 * @module
 */
import { workerData } from 'piscina';
import type { Task } from './inputs/task.ts';
import type { JudgeSettings } from './judge/body-judge.ts';
import { TaskReader, type TaskResult } from './task-reader.ts';

const reader = new TaskReader(workerData as JudgeSettings);

/** Reads a task. */
export function examine(task: Task): Promise<TaskResult> {
  return reader.read(task);
}
