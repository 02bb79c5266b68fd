/**
 * The Content-Usage and Content-Signal lines of a file, by group.
 *
 * @module
 */
import { toByteString } from '../../bytes/byte-string.ts';
import { getSource, type RobotsTxt } from '../../model/robots-txt.ts';
import { OTHER } from '../../syntax/fields.ts';
import { type RobotsRecord, readRecord } from '../../syntax/record.ts';
import {
  createDeclaration,
  type Declaration,
  type DeclarationFormat,
  findKeysStart,
  parseDeclaration,
} from '../declaration.ts';
import { getDeclaredField } from './declared-lines.ts';

/** A line that declares preferences. */
export interface PreferenceLine {
  readonly record: RobotsRecord;
  readonly format: DeclarationFormat;
  readonly declaration: Declaration;
  /** The line from its field to its value, as a byte string. */
  readonly statement: string;
  /** The bytes after the path. */
  readonly keys: { readonly bytes: Uint8Array; readonly start: number; readonly end: number };
  /** Offset of the value in the bytes. */
  readonly valueStart: number;
}

/** Reads the declarations of a file, by their line numbers in ascending order. */
export function readPreferenceLines(robots: RobotsTxt): ReadonlyMap<number, PreferenceLine> {
  const lines = new Map<number, PreferenceLine>();
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const format = scanner.kind === OTHER ? getDeclaredField(scanner) : undefined;
    if (format === undefined || format === 'license') continue;
    const { bytes, line, fieldStart, valueStart, valueEnd } = scanner;
    const record = readRecord(scanner);
    const place = {
      ...({ source: 'robots.txt', name: record.field, text: record.text } as const),
      ...{ line, column: record.valueColumn, agents: null },
    };
    lines.set(line, {
      record,
      format,
      declaration: createDeclaration(format, parseDeclaration(format, bytes, valueStart, valueEnd), place),
      statement: toByteString(bytes, fieldStart, valueEnd),
      keys: { bytes, start: findKeysStart(bytes, valueStart, valueEnd), end: valueEnd },
      valueStart,
    });
  }
  return lines;
}
