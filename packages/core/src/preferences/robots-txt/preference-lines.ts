// The Content-Usage and Content-Signal lines of a file, as its linter and its writer need them.
import { toByteString } from '../../bytes/byte-string.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import { getColumn, type RobotsRecord } from '../../syntax/record.ts';
import { type Declaration, type DeclarationFormat, findKeysStart } from '../declaration.ts';
import { getDeclaredLines } from './declared-lines.ts';
import { readDeclaration } from './robots-declarations.ts';

export interface PreferenceLine {
  readonly record: Pick<RobotsRecord, 'field' | 'text' | 'line' | 'valueColumn'>;
  readonly format: DeclarationFormat;
  readonly declaration: Declaration;
  /** The line from its field to its value, as a byte string. */
  readonly statement: string;
  readonly keys: { readonly bytes: Uint8Array; readonly start: number; readonly end: number };
  readonly valueStart: number;
}

/** Reads the declarations of a file, by their line numbers in ascending order. */
export function readPreferenceLines(robots: RobotsTxt): ReadonlyMap<number, PreferenceLine> {
  const declared = getDeclaredLines(robots);
  const { bytes } = declared;
  const lines = new Map<number, PreferenceLine>();
  for (const each of declared.lines) {
    const { field: format, line, lineStart, fieldStart, valueStart, valueEnd } = each;
    if (format === 'license') continue;
    const declaration = readDeclaration(declared, each);
    const { name, text } = declaration.place;
    lines.set(line, {
      record: { field: name ?? format, text, line, valueColumn: getColumn(bytes, lineStart, valueStart) },
      ...{ format, declaration, valueStart },
      statement: toByteString(bytes, fieldStart, valueEnd),
      keys: { bytes, start: findKeysStart(bytes, valueStart, valueEnd), end: valueEnd },
    });
  }
  return lines;
}
