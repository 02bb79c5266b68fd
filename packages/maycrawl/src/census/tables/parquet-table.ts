/**
 * Writes a table to a Parquet file: under a temporary name, then under its own. Equal rows give equal bytes.
 *
 * @module
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import type { Column } from './column.ts';
import { createSchema, type Leaf } from './leaves.ts';

/** Bytes of values in a page, before their compression. */
const PAGE_BYTES = 1024 * 1024;

/** How a table is written. */
export interface ParquetTableOptions<Row> {
  readonly path: string;
  readonly columns: readonly Column<Row>[];
  /** Rows of a row group. They are in memory until they are written. */
  readonly rowsPerGroup: number;
  /** Texts in the file's metadata, by name. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** What was written. */
export interface WrittenTable {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** A table that is being written. */
export class ParquetTable<Row> {
  readonly #options: ParquetTableOptions<Row>;
  readonly #temporary: string;
  readonly #file: FileWriter;
  readonly #writer: ParquetWriter;
  readonly #leaves: readonly Leaf<Row>[];
  #rows: Row[] = [];

  /** @throws if the file cannot be created. */
  constructor(options: ParquetTableOptions<Row>) {
    this.#options = options;
    this.#temporary = `${options.path}.${process.pid}.tmp`;
    this.#file = new FileWriter(this.#temporary);
    const { elements, leaves } = createSchema(options.columns);
    this.#leaves = leaves;
    this.#writer = new ParquetWriter({
      writer: this.#file,
      schema: elements,
      kvMetadata: Object.entries(options.metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'maycrawl',
    });
  }

  add(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length === this.#options.rowsPerGroup) this.#writeGroup();
  }

  /** Writes a row group as `ParquetWriter.write` does, but reads the values of a leaf without its parents: that is many times faster. */
  #writeGroup(): void {
    const rows = this.#rows;
    this.#rows = [];
    const start = this.#file.offset;
    const written = this.#leaves.map((leaf) => this.#writeLeaf(leaf, rows));
    const columns = written.map(({ chunk }) => chunk);
    this.#writer.pendingIndexes.push(...written);
    this.#writer.num_rows += BigInt(rows.length);
    this.#writer.row_groups.push({
      columns,
      num_rows: BigInt(rows.length),
      total_byte_size: columns.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      total_compressed_size: BigInt(this.#file.offset - start),
    });
    this.#file.flush();
  }

  #writeLeaf({ path, read }: Leaf<Row>, rows: readonly Row[]): ReturnType<typeof writeColumn> {
    const { codec, compressors } = this.#writer;
    const element = path.at(-1);
    if (element === undefined) throw new Error('internal error: a leaf without an element');
    return writeColumn({
      writer: this.#file,
      column: {
        ...{ columnName: element.name, element, schemaPath: [...path] },
        ...{ codec, compressors: { SNAPPY: compressors.SNAPPY } },
        ...{ stats: true, pageSize: PAGE_BYTES, columnIndex: false, offsetIndex: true },
      },
      pageData: read(rows),
    });
  }

  /** Writes the remaining rows, and gives the file its name. */
  finish(): WrittenTable {
    if (this.#rows.length > 0) this.#writeGroup();
    void this.#writer.finish();
    const sha256 = this.#file.close();
    renameSync(this.#temporary, this.#options.path);
    return { rows: Number(this.#writer.num_rows), bytes: this.#file.offset, sha256 };
  }

  /** Removes the unfinished file. */
  discard(): void {
    this.#file.abandon();
    rmSync(this.#temporary, { force: true });
  }
}

/** Writes the bytes of each row group to a file. */
class FileWriter extends ByteWriter {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #hash: Hash = createHash('sha256');
  #isOpen = true;

  constructor(path: string) {
    super(1024 * 1024);
    this.#path = path;
    this.#descriptor = openSync(path, 'w');
  }

  flush(): void {
    const bytes = this.getBytes();
    this.#hash.update(bytes);
    this.#withPath(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    });
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }

  /** Stores the file durably. @returns its SHA-256 in base 16. */
  close(): string {
    this.#withPath(() => fsyncSync(this.#descriptor));
    this.abandon();
    return this.#hash.digest('hex');
  }

  abandon(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  /** Runs an operation on the descriptor. Its errors have no path, which messages name. @throws them with the path. */
  #withPath(run: () => void): void {
    try {
      run();
    } catch (error) {
      throw Object.assign(error as Error, { path: this.#path });
    }
  }
}
