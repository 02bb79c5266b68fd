// The thread that reads tasks for judge-inputs.ts.
import { workerData } from 'piscina';
import { type SentTask, sendBatches } from './batch-channel.ts';
import { type ReaderSettings, TaskReader } from './task-reader.ts';

const reader = new TaskReader(workerData as ReaderSettings);

export function examine({ index, task, port }: SentTask): Promise<void> {
  return sendBatches(reader.read(index, task), port);
}
