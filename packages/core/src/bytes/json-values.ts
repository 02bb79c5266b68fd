// What a parsed JSON value is.

/** An object with unchecked properties. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object, and not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a list of strings. */
export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Parses the JSON of an object. @returns `undefined` for other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
