// Lists of inputs: one on each line, compressed by gzip or not, in a file or at a URL.
import { checkOptions } from '@maycrawl/core/internal';
import { InputTotals } from '../input-totals.ts';
import { readData } from './decompressed-data.ts';
import { InputError, isRemote } from './find-inputs.ts';
import { checkReadOptions, isReadError, openInput, type ReadInputOptions } from './open-input.ts';

/** Maximum size of a list in bytes, decompressed. */
const MAX_BYTES = 100_000_000;

/** A list, and where its relative paths are. */
export interface ListSource {
  /** A path or a URL. */
  readonly list: string;
  /** The URL or the folder of relative paths. @defaultValue the working directory */
  readonly base?: string | undefined;
}

/**
 * Reads a list of paths and URLs.
 *
 * @throws {InputError} if it cannot be read, is damaged, or has more than 100 MB.
 * @throws the signal's reason if it is aborted.
 */
export async function readPathList(source: ListSource, options: ReadInputOptions = {}): Promise<string[]> {
  checkOptions<ListSource>('readPathList', source, { list: 'string', base: 'string' }, ['list']);
  const { list, base } = source;
  const lines = await readLines(list, options);
  if (base === undefined) return lines;
  const prefix = base.endsWith('/') ? base : `${base}/`;
  return lines.map((line) => (isRemote(line) || line.startsWith('/') ? line : `${prefix}${line}`));
}

/** Reads the lines of a list, without spaces at their ends, and without empty lines. @throws as {@link readPathList} does. */
export async function readLines(list: string, options: ReadInputOptions = {}): Promise<string[]> {
  checkReadOptions('the list', options);
  const totals = new InputTotals();
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readData(await openInput(list, options), totals)) {
      chunks.push(chunk);
      if (totals.dataBytes > MAX_BYTES)
        throw new InputError(`${list}: the list has more than ${MAX_BYTES} bytes`);
    }
  } catch (cause) {
    if (!isReadError(cause)) throw cause;
    throw new InputError(`${list}: the list cannot be read: ${cause.message}`, { cause });
  }
  // A part of a list would be judged as the whole.
  const [problem] = totals.toData().problems;
  if (problem !== undefined) throw new InputError(`${list}: the list is damaged: ${problem.message}`);
  const text = Buffer.concat(chunks)
    .toString()
    .replace(/^\uFEFF/, '');
  return text.split('\n').flatMap((line) => line.trim() || []);
}
