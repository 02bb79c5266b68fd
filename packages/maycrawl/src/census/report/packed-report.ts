/**
 * The data of the report as short JSON. An object is an array with the number of its keys, an array begins with -1, and examples are
 * numbers: many numbers of a report have the same ones. The page imports this module, so it needs no Node.
 *
 * @module
 */
import { Interned } from '../../reports/interned.ts';
import type { CensusReportData, Example, Witness } from './report-data.ts';

/** A value without keys. */
type PackedValue = string | number | boolean | null | readonly PackedValue[];

/** Indexes of its host and its note (-1: `null`), and for each witness whether it is allowed, the index of its path, and its line. */
type PackedExample = readonly number[];

/** The JSON in a report. */
export interface PackedReport {
  /** The largest number of examples of a number. */
  readonly maxExamples: number;
  /** The keys of objects. */
  readonly shapes: readonly (readonly string[])[];
  /** Hosts, notes and paths. */
  readonly texts: readonly string[];
  readonly examples: readonly PackedExample[];
  readonly data: PackedValue;
}

/** Marks an array. */
const ARRAY = -1;

/** Packs data. @param maxExamples - the number of examples that remain of each list. */
export function packReport(data: CensusReportData, maxExamples: number): PackedReport {
  const shapes = new Interned<readonly string[]>();
  const texts = new Interned<string>();
  const examples = new Interned<PackedExample>();
  const packExample = ({ host, note, witnesses }: Example): number =>
    examples.number([
      texts.number(host),
      note === null ? -1 : texts.number(note),
      ...witnesses.flatMap(({ isAllowed, path, line }) => [Number(isAllowed), texts.number(path), line]),
    ]);
  const pack = (value: unknown): PackedValue => {
    if (typeof value !== 'object' || value === null) return value as PackedValue;
    if (Array.isArray(value)) return [ARRAY, ...value.map(pack)];
    const entries = Object.entries(value);
    return [
      shapes.number(entries.map(([key]) => key)),
      ...entries.map(([key, each]) =>
        key === 'examples'
          ? [ARRAY, ...(each as readonly Example[]).slice(0, maxExamples).map(packExample)]
          : pack(each),
      ),
    ];
  };
  const packed = pack(data);
  return {
    maxExamples,
    shapes: shapes.values,
    texts: texts.values,
    examples: examples.values,
    data: packed,
  };
}

/** Unpacks data. Equal examples are the same object. */
export function unpackReport({ shapes, texts, examples, data }: PackedReport): CensusReportData {
  const getText = (index: number | undefined): string => texts[index ?? 0] ?? '';
  const unpacked = examples.map(([host, note = -1, ...rest]): Example => {
    const witnesses: Witness[] = [];
    for (let at = 0; at < rest.length; at += 3)
      witnesses.push({
        isAllowed: rest[at] === 1,
        path: getText(rest[at + 1]),
        line: rest[at + 2] as number,
      });
    return { host: getText(host), note: note < 0 ? null : getText(note), witnesses };
  });
  const unpack = (value: PackedValue): unknown => {
    if (!isArray(value)) return value;
    const [kind, ...items] = value;
    if (kind === ARRAY) return items.map(unpack);
    const keys = shapes[kind as number] ?? [];
    return Object.fromEntries(
      keys.map((key, index) => {
        const item = items[index] as PackedValue;
        return [key, key === 'examples' ? toExamples(item, unpacked) : unpack(item)];
      }),
    );
  };
  return unpack(data) as CensusReportData;
}

function toExamples(list: PackedValue, examples: readonly Example[]): readonly Example[] {
  return isArray(list) ? list.slice(1).map((index) => examples[index as number] as Example) : [];
}

function isArray(value: PackedValue): value is readonly PackedValue[] {
  return Array.isArray(value);
}
