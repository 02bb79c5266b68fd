import { decompress } from '../../../src/census/archive/decompress.ts';
import type { ArchiveWork } from '../../../src/census/archive/read-report.ts';
import { VERSION_START } from '../../../src/census/archive/record-boundaries.ts';
import { readWarcCaptures } from '../../../src/census/archive/warc-captures.ts';
import { WarcParser } from '../../../src/census/archive/warc-parser.ts';
import type { WarcItem } from '../../../src/census/archive/warc-record.ts';
import type { Capture } from '../../../src/census/capture.ts';
import { InputTotals, type InputTotalsData } from '../../../src/census/input-totals.ts';
import { toChunks } from './warc.ts';

/** A record with a copy of its block. */
export interface ReadRecord {
  readonly type: string;
  readonly offset: number;
  readonly block: string;
  readonly isCut: boolean;
  readonly isBounded: boolean;
}

/** Copies a record; of a problem, returns the code. */
export function toReadRecord(item: WarcItem): ReadRecord | string {
  if ('problem' in item) return item.problem.code;
  const { type, offset, block, isCut, isBounded } = item;
  return { type, offset, block: block.toString('latin1'), isCut, isBounded };
}

/** Reads all records of an archive, and the codes of its problems. */
export async function readRecords(
  bytes: Uint8Array,
  chunkBytes?: number,
  work?: ArchiveWork,
): Promise<{ records: ReadRecord[]; problems: string[] }> {
  const records: ReadRecord[] = [];
  const problems: string[] = [];
  const parser = new WarcParser(work);
  const add = (items: ReturnType<WarcParser['end']>): void => {
    for (const item of items) {
      const read = toReadRecord(item);
      if (typeof read === 'string') problems.push(read);
      else records.push(read);
    }
  };
  for await (const piece of decompress(toChunks(bytes, chunkBytes), VERSION_START, work)) {
    if ('problem' in piece) {
      problems.push(piece.problem.code);
      add(parser.endAtGap());
    } else add(parser.push(piece));
  }
  add(parser.end());
  return { records, problems };
}

/** A capture with its body as text. */
export type ReadCapture = Omit<Capture, 'body'> & { readonly body: string | null };

/** Reads all captures of an archive. */
export async function readCaptures(
  bytes: Uint8Array,
  chunkBytes?: number,
): Promise<{ captures: ReadCapture[]; totals: InputTotalsData; codes: string[] }> {
  const totals = new InputTotals();
  const captures: ReadCapture[] = [];
  for await (const batch of readWarcCaptures(toChunks(bytes, chunkBytes), 'test.warc', totals))
    for (const { body, ...rest } of batch)
      captures.push({ ...rest, body: body === null ? null : Buffer.from(body).toString() });
  const data = totals.toData();
  return { captures, totals: data, codes: data.problems.map(({ code }) => code) };
}
