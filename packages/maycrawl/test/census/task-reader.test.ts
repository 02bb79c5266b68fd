import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findInputs } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBatches } from '../../src/census/batch-channel.ts';
import { InputTotals, type InputTotalsData } from '../../src/census/input-totals.ts';
import type { Task } from '../../src/census/inputs/task.ts';
import { getValues } from '../../src/census/tables/table-batch.ts';
import { type ReadBatch, TaskReader } from '../../src/census/task-reader.ts';
import { toMembers, writeRobotsTxt } from './support/warc.ts';

const RESPONSES = 5_000;
const DISTINCT = 700;

let folder: string;
let task: Task;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-task-'));
  const write = (_: unknown, index: number) =>
    writeRobotsTxt(`site-${index}.example`, `User-agent: *\nDisallow: /${index % DISTINCT}\n`);
  writeFileSync(join(folder, 'large.warc.gz'), toMembers(Array.from({ length: RESPONSES }, write)));
  task = { files: await findInputs([join(folder, 'large.warc.gz')]) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const createReader = (): TaskReader => new TaskReader({ agents: ['GPTBot'], profile: 'google' });

async function readAll(reader: TaskReader, index: number): Promise<ReadBatch[]> {
  const batches: ReadBatch[] = [];
  for await (const batch of reader.read(index, task)) batches.push(batch);
  return batches;
}

const countFiles = (batches: readonly ReadBatch[]): number =>
  batches.reduce((sum, { files }) => sum + files.count, 0);

describe('a task', () => {
  test('is read in batches of limited size, and a file is in the first of them that refers to it', async () => {
    const batches = await readAll(createReader(), 0);
    expect(batches.map(({ captures }) => captures.count)).toEqual([2_000, 2_000, 1_000]);
    expect(batches.map(({ files }) => files.count)).toEqual([DISTINCT, 0, 0]);
    const hosts = batches.flatMap(({ captures }) => getValues(captures, 0));
    expect(hosts).toEqual(Array.from({ length: RESPONSES }, (_, index) => `site-${index}.example`));
  });

  test('has its files again if a later task was read before, and not if an earlier one was', async () => {
    const reader = createReader();
    expect(countFiles(await readAll(reader, 5))).toBe(DISTINCT);
    expect(countFiles(await readAll(reader, 6))).toBe(0);
    expect(countFiles(await readAll(reader, 2))).toBe(DISTINCT);
    expect(countFiles(await readAll(reader, 3))).toBe(0);
  });
});

test('a thread does not read on while batches are unread', async () => {
  const BATCHES = 20;
  let read = 0;
  let taken = 0;
  let mostUnread = 0;
  const messages: object[] = [];
  const port = Object.assign(new EventEmitter(), {
    postMessage: (message: object) => messages.push(message),
  });
  const totals: InputTotalsData = new InputTotals().toData();
  async function* readBatches(): AsyncGenerator<ReadBatch, InputTotalsData> {
    const [batch] = await readAll(createReader(), 0);
    for (; read < BATCHES; read++) {
      mostUnread = Math.max(mostUnread, read - taken);
      yield batch as ReadBatch;
    }
    return totals;
  }
  const end = sendBatches(readBatches(), port as unknown as Parameters<typeof sendBatches>[1]);
  while (taken < BATCHES) {
    // All that the sender does without a reply.
    for (let turn = 0; turn < 5 || messages.length <= taken; turn++) await setImmediate();
    expect(messages.length - taken).toBeLessThanOrEqual(2);
    taken++;
    port.emit('message', null);
  }
  await end;
  expect(mostUnread).toBe(1);
  expect(messages).toHaveLength(BATCHES + 1);
  expect(messages.at(-1)).toEqual({ totals });
});
