// Captures in Parquet tables: the columns `body`, `url` or `host`, and optionally `status` and `time`. One row group is in memory. Other
// columns are not read.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type RowGroup,
} from 'hyparquet';
import { decompressZstd, compressors as others } from 'hyparquet-compressors';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { CAPTURE_VALUES, createCapture } from './capture-values.ts';
import { isReadError, TableError } from './open-input.ts';

/** Bytes of the columns of a row group, decompressed, and of one page. */
const MAX_GROUP_BYTES = 512 * 1024 * 1024;
/** Both marks, and the length of the metadata. */
const MIN_FILE_BYTES = 12;
const MAX_GROUP_ROWS = 4_000_000;
const MAX_PAGE_BYTES = 256 * 1024 * 1024;
/** Captures that are returned together. */
const BATCH_ROWS = 1_000;

/** Decompressors for pages of a known length. Those of Node.js are faster. */
const COMPRESSORS: Compressors = {
  ...limit('SNAPPY', others.SNAPPY),
  ...limit('LZ4', others.LZ4),
  ...limit('LZ4_RAW', others.LZ4_RAW),
  ...limit('ZSTD', (input, length) => decompressZstd(input, new Uint8Array(length))),
  ...limit('GZIP', (input, length) => gunzipSync(input, { maxOutputLength: Math.max(length, 1) })),
  ...limit('BROTLI', (input, length) =>
    brotliDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
  ),
};

/**
 * Reads the captures of a table.
 *
 * @throws an error for which {@link isReadError} returns `true`, if the file cannot be read, or is not such a table. Damage of a row group
 *   is a problem of the totals.
 */
export async function* readParquetCaptures(
  file: AsyncBuffer,
  name: string,
  totals: InputTotals,
): AsyncGenerator<readonly Capture[]> {
  const metadata = await readMetadata(file);
  const columns = findColumns(metadata);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const start = rowStart;
    rowStart = rowEnd;
    if (!requireReadable(group, columns, start, totals)) continue;
    const options = {
      file,
      metadata,
      columns,
      rowStart: start,
      rowEnd,
      compressors: COMPRESSORS,
      utf8: false,
    };
    const rows = await run(totals, start, () => parquetReadObjects(options));
    for (let at = 0; rows !== undefined && at < rows.length; at += BATCH_ROWS)
      yield [...readRows(rows.slice(at, at + BATCH_ROWS), start + at, name, totals)];
  }
}

function* readRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  start: number,
  name: string,
  totals: InputTotals,
): Generator<Capture> {
  for (const [index, row] of rows.entries()) {
    totals.addRecord('row');
    const { body } = row;
    if (body instanceof Uint8Array || typeof body === 'string') totals.dataBytes += body.length;
    const capture = createCapture(row, name, start + index);
    if (typeof capture === 'string')
      totals.addProblem({ code: 'invalid-row', offset: start + index, message: capture });
    else yield capture;
  }
}

/** Runs a reader of hyparquet, whose errors are damage of the file. @returns `undefined` after a problem. */
async function run<T>(totals: InputTotals, offset: number, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isReadError(error)) throw error;
    totals.addProblem({ code: 'damaged-table', offset, message: (error as Error).message });
    return undefined;
  }
}

/** Reads what the end of the file says about its rows. @throws {TableError} if it is not a table. */
async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  if (file.byteLength < MIN_FILE_BYTES) throw new TableError('not a Parquet file: it is too short');
  try {
    return await parquetMetadataAsync(file);
  } catch (cause) {
    if (isReadError(cause)) throw cause;
    // Errors of JavaScript itself say nothing about the file.
    const isInternal = cause instanceof TypeError || cause instanceof RangeError;
    const reason = isInternal ? 'its metadata is damaged' : (cause as Error).message;
    throw new TableError(`not a Parquet file: ${reason}`, { cause });
  }
}

/** Finds the columns to read. @throws {TableError} if there are others. */
function findColumns(metadata: FileMetaData): string[] {
  const { children: columns } = parquetSchema(metadata);
  const isLeaf = ({ children }: (typeof columns)[number]): boolean => children.length === 0;
  const names = new Set(columns.filter(isLeaf).map(({ element }) => element.name));
  if (names.has('body') && (names.has('url') || names.has('host')))
    return CAPTURE_VALUES.filter((name) => names.has(name));
  const list = columns
    .slice(0, 20)
    .map((column) => `${column.element.name}${isLeaf(column) ? '' : ' (nested)'}`)
    .join(', ');
  throw new TableError(`the table needs the columns "body", and "url" or "host"; it has: ${list}`);
}

/** Whether a row group can be read, with a problem if it cannot. */
function requireReadable(
  { columns, num_rows }: RowGroup,
  wanted: readonly string[],
  offset: number,
  totals: InputTotals,
): boolean {
  const chunks = columns.flatMap(({ meta_data: data }) =>
    data !== undefined && wanted.includes(data.path_in_schema.join('.')) ? [data] : [],
  );
  const unsupported = chunks.find(
    ({ codec }) => codec !== 'UNCOMPRESSED' && COMPRESSORS[codec] === undefined,
  );
  if (unsupported !== undefined) {
    const message = `the compression ${unsupported.codec} is not supported`;
    totals.addProblem({ code: 'unsupported-compression', offset, message });
    return false;
  }
  const bytes = chunks.reduce((sum, data) => sum + Number(data.total_uncompressed_size), 0);
  if (bytes <= MAX_GROUP_BYTES && Number(num_rows) <= MAX_GROUP_ROWS) return true;
  const message = `a row group has ${num_rows} rows and ${bytes} bytes; write smaller ones`;
  totals.addProblem({ code: 'damaged-table', offset, message });
  return false;
}

/** Refuses pages that would take too much memory. */
function limit(codec: keyof Compressors, decompress: Compressors[typeof codec]): Compressors {
  return {
    [codec]: (input: Uint8Array, length: number) => {
      if (!(length <= MAX_PAGE_BYTES)) throw new Error(`a page of ${length} bytes`);
      return decompress?.(input, length);
    },
  };
}
