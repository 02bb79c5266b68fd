// The fields of a layout, prepared for the search in lines.
import { FIELD_INDEX, type FieldName } from '../create-request.ts';
import type { ReaderOptions } from '../log-format.ts';
import { TimeParser } from '../values/time-parser.ts';
import type { LayoutField } from './layout.ts';

/** A field, prepared for the search. */
export interface Step {
  /** The index of the field in `FIELDS`; -1 to skip it. */
  readonly field: number;
  readonly time: TimeParser | undefined;
  readonly after: Uint8Array;
  /** Bytes of `after` that are not part of the next field. */
  readonly consumed: number;
}

/** Prepares fields. Of fields with the same name the first one counts. */
export function createSteps(fields: readonly LayoutField[]): Step[] {
  const seen = new Set<FieldName>();
  return fields.map(({ name, time, after, startsNext }) => {
    const isNew = name !== undefined && !seen.has(name);
    if (isNew) seen.add(name);
    return {
      field: isNew ? FIELD_INDEX[name] : -1,
      time: time === undefined ? undefined : new TimeParser(time),
      after: Buffer.from(after),
      consumed: startsNext === true ? 0 : Buffer.byteLength(after),
    };
  });
}

/** Gives the header field with the address of the client its name. */
export function withForwarded(field: LayoutField, { clientIp }: ReaderOptions): LayoutField {
  return clientIp !== undefined && field.header === clientIp.field.toLowerCase()
    ? { ...field, name: 'forwarded' }
    : field;
}

/** The first complete time, or else the first date and time of the day; and a fraction if they have none. */
export function selectTimes(parsers: readonly TimeParser[]): TimeParser[] {
  const find = (kind: TimeParser['kind']) => parsers.find((parser) => parser.kind === kind);
  const absolute = find('absolute');
  const times = absolute === undefined ? [find('date'), find('timeOfDay')] : [absolute];
  return [...times, find('fraction')].flatMap((parser) => parser ?? []);
}
