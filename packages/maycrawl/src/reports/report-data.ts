// The data in the HTML file of a report: items of several sections, each a line of JSON, compressed by gzip, as base64 in one element.
// The pages import this module, so that reading needs no Node.
import { Gzip } from 'fflate';

/** An item of a report: the name of its section and a value of it. @typeParam Sections - the type of the values of each section. */
export type ReportItem<Sections> = {
  [Name in keyof Sections]: readonly [section: Name, value: Sections[Name]];
}[keyof Sections];

/** The values of each section, in their order. A section without values is missing. */
export type ReportData<Sections> = { readonly [Name in keyof Sections]?: readonly Sections[Name][] };

/** Rows as an array of values for each column: half the JSON of an object for each row. */
export type Columns<Row> = { readonly [Name in keyof Row]: readonly Row[Name][] };

/** The index of a value in a `ValueTable`. */
export type ValueIndex<Value> = number & { readonly value?: Value };

/** Frequent values, which items refer to by their indexes. */
export class ValueTable {
  readonly values: unknown[] = [];
  readonly #indexes: Map<string, number> = new Map();

  /** Returns the index of a value. Values with the same JSON have the same index. */
  add<Value>(value: Value): ValueIndex<Value> {
    const json = JSON.stringify(value);
    let index = this.#indexes.get(json);
    if (index === undefined) {
      index = this.values.push(value) - 1;
      this.#indexes.set(json, index);
    }
    return index;
  }
}

/** Converts rows with the same columns, at least one, into columns. */
export function toColumns<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const columns: { [Name in keyof Row]?: Row[Name][] } = {};
  for (const name of Object.keys(rows[0] ?? {}) as (keyof Row)[])
    columns[name] = rows.map((row) => row[name]);
  return columns as Columns<Row>;
}

/** Joins the columns of several lists of rows. Without rows, there are none. */
export function joinColumns<Row>(lists: readonly Columns<Row>[]): Partial<Columns<Row>> {
  const columns: { [Name in keyof Row]?: Row[Name][] } = {};
  for (const name of Object.keys(lists[0] ?? {}) as (keyof Row)[])
    columns[name] = lists.flatMap((list) => list[name]);
  return columns;
}

/**
 * Formats items, in pieces whose memory does not depend on their number. The compressor is not that of Node, whose output depends on its
 * release: equal items give equal text.
 */
export async function* writeReportData<Sections>(
  items: AsyncIterable<ReportItem<Sections>> | Iterable<ReportItem<Sections>>,
): AsyncGenerator<string> {
  let compressed: Uint8Array[] = [];
  const gzip = new Gzip({ mtime: 0 }, (bytes) => compressed.push(bytes));
  const takeLines = (): string => {
    const lines = compressed.map((bytes) => `${Buffer.from(bytes).toString('base64')}\n`);
    compressed = [];
    return lines.join('');
  };
  const encoder = new TextEncoder();
  for await (const item of items) {
    gzip.push(encoder.encode(`${JSON.stringify(item)}\n`));
    if (compressed.length > 0) yield takeLines();
  }
  gzip.push(new Uint8Array(), true);
  yield takeLines();
}

/** Reads data. @throws {Error} if the text was not written by `writeReportData`, or is cut off. */
export async function readReportData<Sections>(text: string): Promise<ReportData<Sections>> {
  const sections: Partial<Record<keyof Sections, unknown[]>> = {};
  const compressed = new Blob(text.trim().split('\n').map(decodeBase64));
  const reader = compressed.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return sections as ReportData<Sections>;
    const lines = decoder.decode(value, { stream: true }).split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [name, item] = JSON.parse(line) as ReportItem<Sections>;
      const section = sections[name] ?? [];
      sections[name] = section;
      section.push(item);
    }
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
