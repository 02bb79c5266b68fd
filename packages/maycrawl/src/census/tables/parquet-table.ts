// Writes a table to a Parquet file: under a temporary name, then under its own. Equal rows give equal bytes.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { createTemporaryName } from '../../files/temporary-name.ts';
import { LeafBuffer, type Selection } from './leaf-buffer.ts';
import type { Leaf, TableSchema } from './parquet-columns.ts';
import type { TableBatch } from './table-batch.ts';

/** Bytes of values in a page, before their compression. */
const PAGE_BYTES = 1024 * 1024;

/** Elements from the root to a leaf that is not nested. */
const TOP_LEVEL = 2;

/** Characters of texts in a row group. Only groups with texts of unusual length have fewer rows than usual because of it. */
const MAX_GROUP_LENGTH = 64 * 1024 * 1024;

export interface ParquetTableOptions {
  readonly path: string;
  /** Its functions are not used: rows arrive as batches. */
  readonly schema: TableSchema<never>;
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

export class ParquetTable {
  readonly #options: ParquetTableOptions;
  readonly #temporary: string;
  readonly #file: FileWriter;
  readonly #writer: ParquetWriter;
  readonly #buffers: readonly LeafBuffer[];
  /** Rows in the buffers, and the characters of their texts. */
  #rows = 0;
  #length = 0;

  /** @throws if the file cannot be created. */
  constructor(options: ParquetTableOptions) {
    this.#options = options;
    this.#temporary = createTemporaryName(options.path);
    this.#file = new FileWriter(this.#temporary);
    const { elements, leaves } = options.schema;
    this.#buffers = leaves.map(({ column, getItems }) => new LeafBuffer(column, getItems !== undefined));
    this.#writer = new ParquetWriter({
      writer: this.#file,
      schema: [...elements],
      kvMetadata: Object.entries(options.metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'maycrawl',
    });
  }

  /** Adds the selected rows of a batch. Row groups do not depend on how rows are divided into batches. */
  add(batch: TableBatch, selection?: Selection): void {
    let start = 0;
    for (let row = 0; row < batch.count; row++) {
      if (selection !== undefined && selection[row] !== 1) continue;
      this.#rows++;
      this.#length += batch.lengths[row] as number;
      if (this.#rows < this.#options.rowsPerGroup && this.#length < MAX_GROUP_LENGTH) continue;
      this.#addRows(batch, start, row + 1, selection);
      start = row + 1;
      this.#writeGroup();
    }
    this.#addRows(batch, start, batch.count, selection);
  }

  #addRows({ leaves }: TableBatch, start: number, end: number, selection: Selection): void {
    for (const [place, buffer] of this.#buffers.entries()) {
      const leaf = leaves[place];
      if (leaf === undefined) throw new Error('internal error: a batch of another table');
      buffer.add(leaf, start, end, selection);
    }
  }

  /** Writes a row group as `ParquetWriter.write` does, but of leaves: it would find the values of each leaf from the rows down. */
  #writeGroup(): void {
    const start = this.#file.offset;
    const written = this.#options.schema.leaves.map((leaf, place) =>
      this.#writeLeaf(leaf, this.#buffers[place] as LeafBuffer),
    );
    const columns = written.map(({ chunk }) => chunk);
    this.#writer.pendingIndexes.push(...written);
    this.#writer.num_rows += BigInt(this.#rows);
    this.#writer.row_groups.push({
      columns,
      num_rows: BigInt(this.#rows),
      total_byte_size: columns.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      total_compressed_size: BigInt(this.#file.offset - start),
    });
    [this.#rows, this.#length] = [0, 0];
    this.#file.flush();
  }

  #writeLeaf({ path, column }: Leaf<never>, buffer: LeafBuffer): ReturnType<typeof writeColumn> {
    const { compressors } = this.#writer;
    const codec = column.isIncompressible === true ? 'UNCOMPRESSED' : this.#writer.codec;
    const element = path.at(-1);
    if (element === undefined) throw new Error('internal error: a leaf without an element');
    return writeColumn({
      writer: this.#file,
      column: {
        ...{ columnName: element.name, element, schemaPath: [...path] },
        ...{ codec, compressors: { SNAPPY: compressors.SNAPPY } },
        // The least and greatest values of texts and of nested leaves exclude hardly any row group, and take time.
        ...{
          stats: path.length === TOP_LEVEL && column.type !== 'string',
          pageSize: PAGE_BYTES,
          columnIndex: false,
          offsetIndex: true,
        },
      },
      pageData: buffer.take(),
    });
  }

  /** Writes the remaining rows, and gives the file its name. */
  finish(): WrittenTable {
    if (this.#rows > 0) this.#writeGroup();
    void this.#writer.finish();
    const sha256 = this.#file.close();
    renameSync(this.#temporary, this.#options.path);
    return { rows: Number(this.#writer.num_rows), bytes: this.#file.offset, sha256 };
  }

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
