// What a format of one JSON object a line is: a table of keys.
import type { FieldName } from '../create-request.ts';

/** The names of members, from the object of the line inwards. */
export type KeyPath = readonly string[];

export interface JsonFormatSpec {
  readonly name: string;
  /** The members that can have the time, the first one with a value counts. */
  readonly time: readonly KeyPath[];
  /** The members that can have a field, the first one with a value counts. */
  readonly fields: { readonly [Name in FieldName]?: readonly KeyPath[] };
  /**
   * Members of which a line has at least one in each list: those of the request target among them. They may be empty, as those of an
   * invalid request.
   */
  readonly required: readonly (readonly KeyPath[])[];
  /** The members that can have a header field, by its name in lower case. */
  getHeaderPaths(field: string): readonly KeyPath[];
}

/** Splits names of members at the slashes. */
export function toPaths(...names: readonly string[]): readonly KeyPath[] {
  return names.map((name) => name.split('/'));
}

/** Writes the name of a header field as Go does: `X-Forwarded-For`. */
export function toCanonicalHeader(field: string): string {
  return field.replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
