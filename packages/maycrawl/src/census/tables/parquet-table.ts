/**
 * Writes a table to a Parquet file: under a temporary name, then under its own. Equal rows give equal bytes.
 *
 * @module
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Column, ColumnType, Field } from './columns.ts';

/** The Parquet types. */
const TYPES: Readonly<Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

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
  #rows: Row[] = [];
  #count = 0;

  /** @throws if the file cannot be created. */
  constructor(options: ParquetTableOptions<Row>) {
    this.#options = options;
    this.#temporary = `${options.path}.${process.pid}.tmp`;
    this.#file = new FileWriter(this.#temporary);
    this.#writer = new ParquetWriter({
      writer: this.#file,
      schema: [{ name: 'root', num_children: options.columns.length }, ...options.columns.flatMap(toSchema)],
      kvMetadata: Object.entries(options.metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'maycrawl',
    });
  }

  add(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length === this.#options.rowsPerGroup) this.#writeGroup();
  }

  #writeGroup(): void {
    const rows = this.#rows;
    this.#rows = [];
    this.#count += rows.length;
    const columnData = this.#options.columns.map((column) => ({
      name: column.name,
      data: rows.map(column.get),
    }));
    void this.#writer.write({ columnData, rowGroupSize: rows.length });
  }

  /** Writes the remaining rows, and gives the file its name. */
  finish(): WrittenTable {
    if (this.#rows.length > 0) this.#writeGroup();
    void this.#writer.finish();
    const sha256 = this.#file.close();
    renameSync(this.#temporary, this.#options.path);
    return { rows: this.#count, bytes: this.#file.offset, sha256 };
  }

  /** Removes the unfinished file. */
  discard(): void {
    this.#file.abandon();
    rmSync(this.#temporary, { force: true });
  }
}

/** Converts a field, and those in it, to elements of a schema. */
function toSchema({ name, type, isNullable = false, fields }: Field): SchemaElement[] {
  const repetition = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  if (type !== undefined) return [{ ...repetition, ...TYPES[type] }];
  const inner = fields ?? [];
  return [{ ...repetition, num_children: inner.length }, ...inner.flatMap(toSchema)];
}

/** Writes the bytes of each row group to a file. */
class FileWriter extends ByteWriter {
  readonly #descriptor: number;
  readonly #hash: Hash = createHash('sha256');
  #isOpen = true;

  constructor(path: string) {
    super(1024 * 1024);
    this.#descriptor = openSync(path, 'w');
  }

  flush(): void {
    const bytes = this.getBytes();
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }

  /** Stores the file durably. @returns its SHA-256 in base 16. */
  close(): string {
    fsyncSync(this.#descriptor);
    this.abandon();
    return this.#hash.digest('hex');
  }

  abandon(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}
