// Captures as JSON, one object a line: `{"url": "https://example.com/robots.txt", "status": 200, "body": "..."}`. `host` may take the place
// of `url`; `time` is a date in ISO 8601 or a number of milliseconds; `body` and `status` can be omitted or `null`.
import { readBlocks, splitLines } from '../../lines/line-reader.ts';
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
  let skipped = 0;
  const onSkip = (bytes: number): void => {
    skipped += bytes;
  };
  for await (const block of readBlocks(readData(input, totals), MAX_LINE_BYTES, onSkip)) {
    // A line that was too long begins here; a byte order mark precedes the block.
    if (block === undefined) addProblem(totals, offset, `the line has more than ${MAX_LINE_BYTES} bytes`);
    offset += skipped;
    skipped = 0;
    if (block === undefined) continue;
    yield [...readBlock(block, offset, name, totals)];
    offset += block.length;
  }
}

function addProblem(totals: InputTotals, offset: number, message: string): void {
  totals.addProblem({ code: 'invalid-line', offset, message });
}

function* readBlock(block: Buffer, start: number, name: string, totals: InputTotals): Generator<Capture> {
  let offset = start;
  for (const line of splitLines(block)) {
    const at = offset;
    offset += line.length + 1;
    if (line.length === 0) continue;
    totals.addRecord('line');
    const capture = readLine(line.toString(), name, at);
    if (typeof capture === 'string') addProblem(totals, at, capture);
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
