// Reads the captures of one input.
import { readWarcCaptures } from '../archive/warc-captures.ts';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { CountedInput } from './counted-input.ts';
import { readFileCapture } from './file-capture.ts';
import { isRemote } from './find-inputs.ts';
import { readJsonCaptures } from './json-captures.ts';
import {
  checkReadOptions,
  isReadError,
  openInput,
  openRemoteTable,
  type ReadInputOptions,
} from './open-input.ts';
import { readTarCaptures } from './tar-captures.ts';
import { type InputFile, isSmall } from './task.ts';

/**
 * Reads the captures of an input. A failure to read is a problem of the totals; the captures before it are read.
 *
 * @param totals - receives counts and problems.
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws the signal's reason if it is aborted.
 */
export async function* readInput(
  file: InputFile,
  totals: InputTotals,
  options: ReadInputOptions = {},
): AsyncGenerator<readonly Capture[]> {
  checkReadOptions('readInput', options);
  try {
    if (file.format === 'parquet') yield* readTable(file, totals, options);
    else yield* readBytes(file, totals, options);
  } catch (error) {
    if (!isReadError(error)) throw error;
    // Adjacent files of one robots.txt each are one entry, which has the path of the first of them.
    const message = isSmall(file.format) ? `${file.path}: ${error.message}` : error.message;
    totals.addProblem({ code: 'unreadable-input', offset: totals.inputBytes, message });
  }
}

/** Reads an input from its start to its end. */
async function* readBytes(
  { path, format }: InputFile,
  totals: InputTotals,
  options: ReadInputOptions,
): AsyncGenerator<readonly Capture[]> {
  const input = new CountedInput(await openInput(path, options), totals, options.signal);
  try {
    if (format === 'robots-txt') {
      const capture = await readFileCapture(input, path, totals);
      input.requireRead();
      yield [capture];
      return;
    }
    if (format === 'warc') yield* readWarcCaptures(input, path, totals);
    else if (format === 'ndjson') yield* readJsonCaptures(input, path, totals);
    else yield* readTarCaptures(input, path, totals);
    totals.sha256 = await input.digest();
  } finally {
    await input.close();
  }
}

/** Reads the columns of a table that are needed. */
async function* readTable(
  { path }: InputFile,
  totals: InputTotals,
  options: ReadInputOptions,
): AsyncGenerator<readonly Capture[]> {
  const [{ readParquetCaptures }, { asyncBufferFromFile }] = await Promise.all([
    import('./parquet-captures.ts'),
    import('hyparquet'),
  ]);
  if (isRemote(path)) {
    yield* readParquetCaptures(await openRemoteTable(path, totals, options), path, totals);
    return;
  }
  yield* readParquetCaptures(await asyncBufferFromFile(path), path, totals);
  const input = new CountedInput(await openInput(path, options), totals, options.signal);
  totals.sha256 = await input.digest();
}
