/**
 * Reads the captures of one input.
 *
 * @module
 */
import { createReadStream } from 'node:fs';
import { openDescriptor } from '../../files/open-descriptor.ts';
import { readWarcCaptures } from '../archive/warc-captures.ts';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { readFileCapture } from './file-capture.ts';
import { STANDARD_INPUT } from './find-inputs.ts';
import { readJsonCaptures } from './json-captures.ts';
import { readTarCaptures } from './tar-captures.ts';
import type { InputFile } from './task.ts';

/** Bytes of one read. */
const READ_BYTES = 256 * 1024;

/**
 * Reads the captures of an input. A failure to read is a problem of the totals; the captures before it are read.
 *
 * @param totals - receives counts and problems.
 */
export async function* readInput(file: InputFile, totals: InputTotals): AsyncGenerator<readonly Capture[]> {
  const stream =
    file.path === STANDARD_INPUT
      ? openDescriptor(0)
      : createReadStream(file.path, { highWaterMark: READ_BYTES });
  const input = countBytes(stream, totals);
  try {
    if (file.format === 'warc') yield* readWarcCaptures(input, file.path, totals);
    else if (file.format === 'ndjson') yield* readJsonCaptures(input, file.path, totals);
    else if (file.format === 'tar') yield* readTarCaptures(input, file.path, totals);
    else yield [await readFileCapture(input, file.path, totals)];
  } catch (error) {
    if (!isSystemError(error)) throw error;
    totals.addProblem({ code: 'unreadable-input', offset: totals.inputBytes, message: error.message });
  }
}

async function* countBytes(
  input: AsyncIterable<Uint8Array>,
  totals: InputTotals,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    totals.inputBytes += chunk.length;
    yield chunk;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
