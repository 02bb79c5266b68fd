/**
 * Captures as JSON, one object a line: `{"url": "https://example.com/robots.txt", "status": 200, "body": "..."}`. `host` may take the place
 * of `url`; `time` is a date in ISO 8601 or a number of milliseconds; `body` and `status` can be omitted or `null`.
 *
 * @module
 */
import { type Block, readBlocks, splitLines } from '../../lines/line-reader.ts';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { createCapture } from './capture-values.ts';
import { readData } from './decompressed-data.ts';

/** Maximum length of a line in bytes: a robots.txt of 512,000 bytes, escaped. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Reads captures from lines of JSON, which may be compressed by gzip. */
export async function* readJsonCaptures(
  input: AsyncIterable<Uint8Array>,
  name: string,
  totals: InputTotals,
): AsyncGenerator<readonly Capture[]> {
  let offset = 0;
  for await (const block of readBlocks(readData(input, totals), MAX_LINE_BYTES)) {
    yield [...readBlock(block, offset, name, totals)];
    offset += block?.length ?? MAX_LINE_BYTES;
  }
}

function* readBlock(block: Block, start: number, name: string, totals: InputTotals): Generator<Capture> {
  const addProblem = (offset: number, message: string): void => {
    totals.addProblem({ code: 'invalid-line', offset, message });
  };
  if (block === undefined) {
    addProblem(start, `the line has more than ${MAX_LINE_BYTES} bytes`);
    return;
  }
  let offset = start;
  for (const line of splitLines(block)) {
    const at = offset;
    offset += line.length + 1;
    if (line.length === 0) continue;
    totals.addRecord('line');
    const capture = readLine(line.toString(), name, at);
    if (typeof capture === 'string') addProblem(at, capture);
    else yield capture;
  }
}

/** Reads a line. Returns a message if it is not a capture. */
function readLine(line: string, name: string, offset: number): Capture | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'the line is not JSON';
  }
  if (typeof value !== 'object' || value === null) return 'the line is not an object';
  return createCapture(value, name, offset);
}
