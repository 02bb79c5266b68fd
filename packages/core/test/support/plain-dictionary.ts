import { parseDictionary, type StructuredItem, type StructuredValue } from '../../src/preferences.ts';
import type { PlainDictionary } from './structured-fields.ts';

/** Parses bytes, as data that can be compared with that of another parser. */
export function parseAsData(bytes: Uint8Array): PlainDictionary {
  const dictionary = parseDictionary(bytes);
  if (dictionary === null) return null;
  return Array.from(dictionary, ([key, { value, parameters }]) => [
    key,
    isInnerList(value) ? value.map(toData) : toPlainValue(value),
    toPlainParameters(parameters),
  ]);
}

function isInnerList(value: StructuredValue | readonly StructuredItem[]): value is readonly StructuredItem[] {
  return Array.isArray(value);
}

function toData({ value, parameters }: StructuredItem): unknown {
  return { value: toPlainValue(value), parameters: toPlainParameters(parameters) };
}

function toPlainParameters(parameters: ReadonlyMap<string, StructuredValue>): unknown {
  return Array.from(parameters, ([name, value]) => [name, toPlainValue(value)]);
}

function toPlainValue(item: StructuredValue): unknown {
  if (item.type === 'token') return { token: item.value };
  if (item.type === 'display-string') return { display: item.value };
  if (item.type === 'date') return { date: item.value };
  if (item.type === 'bytes') return { bytes: Buffer.from(item.value, 'base64').toString('hex') };
  return item.value;
}
