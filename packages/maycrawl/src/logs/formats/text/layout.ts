// The layout of a line of text: fields, and the texts between them. Patterns of servers and lists of fields compile to it.
import { quoteValue } from '@maycrawl/core/internal';
import type { FieldName } from '../create-request.ts';
import type { LineContents } from '../log-format.ts';
import { compileTimeFormat } from '../values/time-format.ts';

/** Converts a value to a byte string without escapes. */
export type Decode = (logged: string) => string;

/** A field of a line. It ends where the text after it begins. */
export interface LayoutField {
  /** Absent: the value is skipped. */
  readonly name?: FieldName | undefined;
  /** The pattern of a time, which is read in its whole length, whatever text is after it. */
  readonly time?: string | undefined;
  /** The text between this field and the next one; empty for the rest of the line. */
  readonly after: string;
  /** Whether the text after the field is the start of the next one. */
  readonly startsNext?: boolean | undefined;
  /** Default: the escapes of the layout. */
  readonly decode?: Decode | undefined;
  /** The name of the header field in lower case, for the address of the client. */
  readonly header?: string | undefined;
}

export interface Layout {
  /** The text before the first field. */
  readonly before: string;
  readonly fields: readonly LayoutField[];
  /** Whether a backslash escapes the byte after it. */
  readonly hasEscapes: boolean;
  /** Whether further fields may follow after a space. */
  readonly allowsMore?: boolean | undefined;
  /** The index of the first field after which the line may end (default: the last field). */
  readonly mayEndAfter?: number | undefined;
  /** The start of the day, for lines with the time of the day only. */
  readonly day?: number | undefined;
}

/**
 * Checks that a layout has what a request needs.
 *
 * @throws {RangeError} if it has no complete time, no request, or two fields that nothing separates.
 */
export function checkLayout(layout: Layout, what: string): void {
  const { fields } = layout;
  const kinds = fields.flatMap(({ time }) => (time === undefined ? [] : [compileTimeFormat(time).kind]));
  const hasDate = kinds.includes('date') || layout.day !== undefined;
  if (!kinds.includes('absolute') && !(hasDate && kinds.includes('timeOfDay')))
    throw new RangeError(`${what} has no field with the date and time of a request`);
  if (!hasAny(layout, 'request', 'target', 'path', 'pathAndQuery'))
    throw new RangeError(`${what} has no field with the request line or the path`);
  for (const [index, { name, after, time }] of fields.entries())
    if (after === '' && index < fields.length - 1 && time === undefined)
      throw new RangeError(
        `${what} has two fields that no text separates: ${quoteValue(name ?? 'unknown')} and the next one`,
      );
}

/** What lines of a layout can have. */
export function getContents(layout: Layout): LineContents {
  return {
    address: hasAny(layout, 'address', 'peer', 'hostname'),
    host: hasAny(layout, 'hostHeader', 'requestHost', 'serverName'),
    userAgent: hasAny(layout, 'userAgent'),
    status: hasAny(layout, 'status'),
    signature: hasAny(layout, 'signature') && hasAny(layout, 'signatureInput'),
  };
}

function hasAny({ fields }: Layout, ...names: readonly FieldName[]): boolean {
  return fields.some(({ name }) => name !== undefined && names.includes(name));
}
