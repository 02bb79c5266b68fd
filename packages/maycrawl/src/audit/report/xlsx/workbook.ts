// Writes workbooks of Excel (Office Open XML, ECMA-376) while their rows are read, so memory does not grow with the number of rows. A
// workbook is a ZIP file with a few small XML files and one for each worksheet.
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { escapeXml } from '../../../reports/xml.ts';
import { formatRow, getColumnName, type RowCounts, type XlsxCell } from './cells.ts';

/** A table. Its rows are read once. */
export interface Sheet {
  /** At most 25 characters, of which none is special in Excel: `[]:*?/\`. */
  readonly name: string;
  /** Names of the columns, and their widths in characters. */
  readonly columns: readonly (readonly [name: string, width: number])[];
  readonly rows: AsyncIterable<readonly XlsxCell[]> | Iterable<readonly XlsxCell[]>;
}

/** The largest number of rows of a worksheet in Excel. Further rows are in further worksheets. */
const MAX_ROWS = 1_048_576;
/** Characters of a piece of XML. */
const PIECE = 65_536;
/** The style of the first row: bold (STYLES). */
const HEAD_STYLE = 1;

/**
 * Creates a workbook.
 *
 * @param addSheets - adds the sheets, each after the one before is written. They appear in the opposite order, so that the first one can
 * summarise the others.
 * @param maxRows - maximum number of rows of a worksheet, with the first one.
 * @returns the bytes of the file.
 */
export async function* createWorkbook(
  addSheets: (add: (sheet: Sheet) => Promise<RowCounts>) => Promise<void>,
  maxRows: number = MAX_ROWS,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.once('error', (error) => output.destroy(error));
  /** The rows that are being written. */
  let current: Readable | undefined;
  /** Names of worksheets by sheet. */
  const sheets: string[][] = [];
  const addPart = async (path: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> => {
    current = Readable.from(pieces, { objectMode: false });
    zip.addReadStream(current, path);
    await finished(current);
  };
  const addSheet = async ({ name, columns, rows }: Sheet): Promise<RowCounts> => {
    const counts: RowCounts = { cutCells: 0 };
    const source = new RowSource(rows);
    const names: string[] = [];
    sheets.push(names);
    do {
      names.push(names.length === 0 ? name : `${name} ${names.length + 1}`);
      await addPart(
        `xl/worksheets/sheet${sheets.flat().length}.xml`,
        formatSheet(columns, source, maxRows, counts),
      );
    } while (await source.hasNext());
    return counts;
  };
  const write = async (): Promise<void> => {
    await addSheets(addSheet);
    for (const [path, xml] of createParts(sheets)) await addPart(path, [xml]);
    zip.end();
  };
  const written = write().catch((error: unknown) => output.destroy(error as Error));
  try {
    yield* output;
  } finally {
    // If the reader has stopped, the rows must stop, too.
    current?.destroy();
    await written;
  }
}

/** Rows that several worksheets share. */
class RowSource {
  readonly #rows: AsyncIterator<readonly XlsxCell[]> | Iterator<readonly XlsxCell[]>;
  #next: IteratorResult<readonly XlsxCell[]> | undefined;

  constructor(rows: Sheet['rows']) {
    this.#rows = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  }

  async hasNext(): Promise<boolean> {
    this.#next ??= await this.#rows.next();
    return this.#next.done !== true;
  }

  /** Returns the next row; `undefined` after the last one. */
  async next(): Promise<readonly XlsxCell[] | undefined> {
    if (!(await this.hasNext())) return undefined;
    const row = this.#next?.value as readonly XlsxCell[];
    this.#next = undefined;
    return row;
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Formats a worksheet in pieces. The first row stays visible, and has a filter for each column. */
async function* formatSheet(
  columns: Sheet['columns'],
  rows: RowSource,
  maxRows: number,
  counts: RowCounts,
): AsyncGenerator<string> {
  const widths = columns.map(
    ([, width], index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  let piece = `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  const head = columns.map(([name]) => name);
  piece += formatRow(1, head, counts, HEAD_STYLE);
  let number = 1;
  let isDone = false;
  try {
    while (number < maxRows) {
      const row = await rows.next();
      if (row === undefined) break;
      piece += formatRow(++number, row, counts);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    const filter = `<autoFilter ref="A1:${getColumnName(columns.length - 1)}${number}"/>`;
    yield `${piece}</sheetData>${filter}</worksheet>`;
    isDone = true;
  } finally {
    if (!isDone) await rows.close();
  }
}

const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Creates the other parts of a workbook. */
function createParts(sheets: readonly (readonly string[])[]): (readonly [path: string, xml: string])[] {
  const numbered = sheets.flat().map((name, index) => ({ name, number: index + 1 }));
  const shown = sheets.toReversed().flatMap((names) => numbered.filter(({ name }) => names.includes(name)));
  const listed = shown.map(
    ({ name, number }) => `<sheet name="${escapeXml(name)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const targets = numbered.map(
    ({ number }) =>
      `<Relationship Id="rId${number}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  const types = numbered.map(
    ({ number }) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${MEDIA_TYPE}.worksheet+xml"/>`,
  );
  return [
    ['xl/styles.xml', STYLES],
    [
      'xl/workbook.xml',
      `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${listed.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${targets.join('')}<Relationship Id="rId${numbered.length + 1}" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      '_rels/.rels',
      `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${MEDIA_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${MEDIA_TYPE}.styles+xml"/>${types.join('')}</Types>`,
    ],
  ];
}
