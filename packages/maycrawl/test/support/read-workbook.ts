// Reads workbooks of Excel: ZIP and XML with other code than that which writes them.
import { inflateRawSync } from 'node:zlib';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** A cell: its type in the file, and its value as Excel shows it. */
type ReadCell = string | number | boolean | null;

/** A worksheet. */
export interface ReadSheet {
  readonly name: string;
  readonly rows: readonly (readonly ReadCell[])[];
  /** The range of the filter. */
  readonly filter: string;
  /** Cells with formulas. */
  readonly formulas: number;
}

/** Reads the files of a ZIP archive by its central directory (APPNOTE.TXT 6.3.10, section 4.3.12). */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, extra, comment] = [
      bytes.readUInt32LE(at + 20),
      ...[28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)),
    ] as [number, number, number, number];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const header = bytes.readUInt32LE(at + 42);
    const data = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    files.set(name, inflateRawSync(bytes.subarray(data, data + size)).toString());
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', trimValues: false, parseTagValue: false },
  isArray: (name) => ['row', 'c', 'sheet', 'Relationship', 'Override'].includes(name),
});

interface Cell {
  readonly '@r': string;
  readonly '@t'?: string;
  readonly v?: string;
  readonly f?: unknown;
  readonly is?: { readonly t: string | { readonly '#text': string } };
}

/** Reads a workbook. @throws {Error} if a part of it is missing, or is no XML. */
export function readWorkbook(bytes: Buffer): ReadSheet[] {
  const files = unzip(bytes);
  const read = (path: string) => {
    const xml = files.get(path);
    if (xml === undefined) throw new Error(`there is no ${path}`);
    const result = XMLValidator.validate(xml);
    if (result !== true) throw new Error(`${path}: ${JSON.stringify(result)}`);
    return parser.parse(xml);
  };
  const types = read('[Content_Types].xml').Types.Override.map(
    (each: { '@PartName': string }) => each['@PartName'],
  );
  const targets = read('xl/_rels/workbook.xml.rels').Relationships.Relationship as {
    readonly '@Id': string;
    readonly '@Target': string;
  }[];
  read('xl/styles.xml');
  read('_rels/.rels');
  return read('xl/workbook.xml').workbook.sheets.sheet.map((sheet: { '@name': string; '@r:id': string }) => {
    const target = targets.find((each) => each['@Id'] === sheet['@r:id'])?.['@Target'];
    if (!types.includes(`/xl/${target}`)) throw new Error(`${target} has no type`);
    const { worksheet } = read(`xl/${target}`);
    const rows = (worksheet.sheetData.row ?? []) as { readonly c?: readonly Cell[] }[];
    const cells = rows.flatMap(({ c }) => c ?? []);
    return {
      name: sheet['@name'],
      rows: rows.map(({ c = [] }) => readRow(c)),
      filter: worksheet.autoFilter['@ref'],
      formulas: cells.filter(({ f }) => f !== undefined).length,
    };
  });
}

/** Places cells by their references. */
function readRow(cells: readonly Cell[]): ReadCell[] {
  const row: ReadCell[] = [];
  for (const cell of cells) {
    const letters = cell['@r'].replace(/\d+$/, '');
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    while (row.length < column) row.push(null);
    row[column] = readCell(cell);
  }
  return row;
}

function readCell(cell: Cell): ReadCell {
  const { '@t': type, v = '', is } = cell;
  if (type === 'b') return v === '1';
  if (type !== 'inlineStr') return Number(v);
  const text = typeof is?.t === 'object' ? is.t['#text'] : (is?.t ?? '');
  return String(text ?? '').replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
