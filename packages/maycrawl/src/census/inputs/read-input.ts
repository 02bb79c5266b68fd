/**
 * Reads the captures of one input.
 *
 * @module
 */
import { readWarcCaptures } from '../archive/warc-captures.ts';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { CountedInput } from './counted-input.ts';
import { readFileCapture } from './file-capture.ts';
import { readJsonCaptures } from './json-captures.ts';
import { isReadError, openInput, type ReadInputOptions } from './open-input.ts';
import { readTarCaptures } from './tar-captures.ts';
import type { InputFile } from './task.ts';

/**
 * Reads the captures of an input. A failure to read is a problem of the totals; the captures before it are read.
 *
 * @param totals - receives counts and problems.
 * @throws the signal's reason if it is aborted.
 */
export async function* readInput(
  file: InputFile,
  totals: InputTotals,
  options: ReadInputOptions = {},
): AsyncGenerator<readonly Capture[]> {
  const input = new CountedInput(await openInput(file.path, options), totals);
  try {
    if (file.format === 'robots-txt') {
      const capture = await readFileCapture(input, file.path, totals);
      input.requireRead();
      yield [capture];
      return;
    }
    if (file.format === 'warc') yield* readWarcCaptures(input, file.path, totals);
    else if (file.format === 'ndjson') yield* readJsonCaptures(input, file.path, totals);
    else yield* readTarCaptures(input, file.path, totals);
    totals.sha256 = await input.digest();
  } catch (error) {
    if (!isReadError(error)) throw error;
    totals.addProblem({ code: 'unreadable-input', offset: totals.inputBytes, message: error.message });
  } finally {
    await input.close();
  }
}
