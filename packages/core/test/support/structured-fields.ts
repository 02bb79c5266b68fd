/** Dictionaries as the package structured-headers reads them, in the form of our own parser. */
import {
  type BareItem,
  DisplayString,
  type InnerList,
  type Item,
  parseDictionary,
  Token,
} from 'structured-headers';

/** A dictionary as data: keys with their values and parameters. `null` if the text is not a dictionary. */
export type PlainDictionary = [key: string, value: unknown, parameters: unknown][] | null;

/** Parses a text with structured-headers. */
export function parseWithOracle(text: string): PlainDictionary {
  try {
    return Array.from(parseDictionary(text), ([key, [value, parameters]]) => [
      key,
      Array.isArray(value) ? readInnerList([value, parameters] as InnerList) : readItem(value as BareItem),
      readParameters(parameters),
    ]);
  } catch {
    return null;
  }
}

function readInnerList([items]: InnerList): unknown {
  return items.map(([value, parameters]: Item) => ({
    value: readItem(value),
    parameters: readParameters(parameters),
  }));
}

function readParameters(parameters: Map<string, BareItem>): unknown {
  return Array.from(parameters, ([name, value]) => [name, readItem(value)]);
}

/** A byte sequence is compared by its decoded bytes, and a number by its value, because JavaScript does not keep the type. */
function readItem(value: BareItem): unknown {
  if (value instanceof Token) return { token: value.toString() };
  if (value instanceof DisplayString) return { display: value.toString() };
  if (value instanceof Date) return { date: value.getTime() / 1000 };
  if (value instanceof ArrayBuffer) return { bytes: Buffer.from(value).toString('hex') };
  return value;
}
