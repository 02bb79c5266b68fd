/** Dictionaries as the package structured-headers reads them. */
import { parseDictionary, Token } from 'structured-headers';

/** The keys of a dictionary, each with its token; `null` for other values. `null` if the text is not a dictionary. */
export type TokenMembers = [key: string, token: string | null][] | null;

/** Parses a text with structured-headers. */
export function parseWithOracle(text: string): TokenMembers {
  try {
    return Array.from(parseDictionary(text), ([key, [value]]) => [
      key,
      value instanceof Token ? value.toString() : null,
    ]);
  } catch {
    return null;
  }
}
