// Captures of values with names: fields of JSON, or columns of a table. `url`, or `host` in its place; `status`, `time` and `body` can be
// missing or `null`.
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { parseUrl } from '@maycrawl/core/url';
import type { Capture } from '../capture.ts';
import { parseTime } from '../time.ts';
import { parseHostUrl } from './host-url.ts';

/** The last time that a date can have, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

export const CAPTURE_VALUES = ['url', 'host', 'status', 'time', 'body'] as const;

/** Values by their names. */
export type CaptureValues = Readonly<Partial<Record<(typeof CAPTURE_VALUES)[number], unknown>>>;

/**
 * Creates a capture.
 *
 * @param values - `url` and `host` are texts, or their bytes in UTF-8; `status` is a number; `time` is a date, a text in ISO 8601, or a number of milliseconds;
 *   `body` is a text or bytes.
 * @param input - the path of the input. @param offset - the place in it.
 * @returns the capture, or a message if the values are not one.
 */
export function createCapture(values: CaptureValues, input: string, offset: number): Capture | string {
  const url = getUrl(values);
  if (typeof url === 'string') return url;
  const status = toNumber(values.status ?? null);
  if (
    status !== null &&
    !(Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 999)
  )
    return '"status" is not an HTTP status';
  const body = toBytes(values.body ?? null);
  if (body === undefined) return '"body" is not a string';
  const time = toTime(values.time ?? null);
  if (time === undefined) return '"time" is not a date';
  return {
    url: url.href,
    time,
    status: status as number | null,
    location: null,
    body,
    isTruncated: false,
    ...{ kind: 'response', hops: 0, input, offset },
  };
}

/** Returns the URL, or a message. */
function getUrl(values: CaptureValues): { readonly href: string } | string {
  const [text, host] = [toText(values.url), toText(values.host)];
  if (text === undefined)
    return host === undefined
      ? 'there is neither "url" nor "host"'
      : (parseHostUrl(host) ?? `not a host: ${host}`);
  const url = parseUrl(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : `not an http or https URL: ${text}`;
}

/** Some writers of tables do not mark texts. */
function toText(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return typeof value === 'string' ? value : undefined;
}

/** Whole numbers of 64 bits are a type of their own. */
function toNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function toBytes(body: unknown): Uint8Array | null | undefined {
  if (body === null) return null;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes instanceof Uint8Array ? bytes.subarray(0, MAX_FILE_BYTES + 1) : undefined;
}

/** Converts a time to milliseconds since 1970; `undefined` if a date cannot have it. */
function toTime(value: unknown): number | null | undefined {
  if (value === null) return null;
  const text = toText(value);
  if (text !== undefined) return parseTime(text);
  const time = value instanceof Date ? value.getTime() : toNumber(value);
  return Number.isInteger(time) && Math.abs(time as number) <= MAX_TIME ? (time as number) : undefined;
}
