// Reads lists of the addresses of a crawler: JSON with prefixes, as Google, Bing, OpenAI and others publish it
// (draft-illyes-webbotauth-jafar-00, 2026-04-21), lines of text, and geofeeds (RFC 8805).
import type { RangeFormat } from '@maycrawl/core/crawlers';
import { isObject } from '@maycrawl/core/internal';
import { type IpPrefix, parsePrefix } from './address.ts';

/** Maximum size of a list in bytes. */
export const MAX_RANGE_BYTES = 10_000_000;
/** Maximum number of prefixes of a list. */
export const MAX_PREFIXES = 200_000;
/** The major version of the JSON format that this module reads. */
const MAJOR_VERSION = 1;
/** Shorter prefixes are mistakes: they would verify whole continents. The shortest published ones have 8 and 29 bits. */
const SHORTEST = { 4: 8, 6: 16 } as const;

/** Why a list of addresses cannot be used. */
export type RangeFileErrorCode =
  | 'too-large'
  | 'too-many-prefixes'
  | 'invalid-text'
  | 'invalid-form'
  | 'invalid-prefix'
  | 'unsupported-version'
  | 'empty'
  | 'invalid-name'
  | 'digest-mismatch'
  | 'too-many-files'
  | 'unreadable';

/** A list of addresses cannot be used. The message is one line without content of the list. */
export class RangeFileError extends Error {
  override readonly name = 'RangeFileError';
  readonly code: RangeFileErrorCode;

  constructor(code: RangeFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A prefix of a list. */
export interface ListedPrefix extends IpPrefix {
  /** The service that the operator names; `null` if it names none. */
  readonly service: string | null;
}

/** A list of addresses. */
export interface RangeList {
  /** When the operator created it, in milliseconds since 1970; `null` if the list does not say it. */
  readonly creationTime: number | null;
  readonly prefixes: readonly ListedPrefix[];
}

/**
 * Parses a list.
 *
 * JSON objects with both or neither of `ipv4Prefix` and `ipv6Prefix` are ignored, and so are properties that the draft does not have.
 * A file with a later major version is refused.
 *
 * @param bytes - the content in UTF-8.
 * @param format - by default recognised by the content.
 * @throws {RangeFileError} if it is no list, or one without prefixes.
 */
export function parseRangeFile(bytes: Uint8Array, format?: RangeFormat): RangeList {
  if (bytes.length > MAX_RANGE_BYTES)
    throw new RangeFileError('too-large', `the list has more than ${MAX_RANGE_BYTES} bytes`);
  const text = decode(bytes);
  const list = (format ?? recognise(text)) === 'json' ? parseJson(text) : parseLines(text);
  if (list.prefixes.length === 0) throw new RangeFileError('empty', 'the list has no prefixes');
  return list;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RangeFileError('invalid-text', 'the list is not UTF-8', { cause });
  }
}

function recognise(text: string): RangeFormat {
  return text.trimStart().startsWith('{') ? 'json' : 'text';
}

function parseJson(text: string): RangeList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RangeFileError('invalid-form', 'the list is not JSON', { cause });
  }
  if (!isObject(value) || !Array.isArray(value['prefixes']))
    throw new RangeFileError('invalid-form', 'the list is not an object with an array "prefixes"');
  checkVersion(value['formatVersion']);
  const prefixes: ListedPrefix[] = [];
  for (const [index, item] of value['prefixes'].entries()) {
    if (!isObject(item)) throw new RangeFileError('invalid-form', `prefixes[${index}] is not an object`);
    const { ipv4Prefix, ipv6Prefix, service } = item;
    if ((ipv4Prefix === undefined) === (ipv6Prefix === undefined)) continue;
    const prefix = readPrefix(ipv4Prefix ?? ipv6Prefix, `prefixes[${index}]`);
    if (prefix.family !== (ipv4Prefix === undefined ? 6 : 4))
      throw new RangeFileError('invalid-prefix', `prefixes[${index}] is a prefix of the other IP version`);
    add(prefixes, { ...prefix, service: typeof service === 'string' ? service : null });
  }
  const time = typeof value['creationTime'] === 'string' ? Date.parse(value['creationTime']) : Number.NaN;
  return { creationTime: Number.isNaN(time) ? null : time, prefixes };
}

/** Refuses a later major version (draft-illyes-webbotauth-jafar-00 section 3.2). Lists that are older than the draft have none. */
function checkVersion(version: unknown): void {
  if (version === undefined) return;
  const [, major] = (typeof version === 'string' && /^(\d{1,4})\.\d{1,6}$/.exec(version)) || [];
  if (major === undefined)
    throw new RangeFileError('invalid-form', 'the formatVersion of the list is not a text such as "1.0"');
  if (Number(major) > MAJOR_VERSION)
    throw new RangeFileError('unsupported-version', `the list has the version ${major} of its format`);
}

/** Parses lines of text, and of a geofeed, of which the first column is the prefix. */
function parseLines(text: string): RangeList {
  const prefixes: ListedPrefix[] = [];
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const item = getItem(text.slice(start, end));
    number++;
    if (item !== '') add(prefixes, { ...readPrefix(item, `line ${number}`), service: null });
    start = end + 1;
  }
  return { creationTime: null, prefixes };
}

/** Returns the first column of a line, without a comment. */
function getItem(line: string): string {
  const [content = ''] = line.split('#', 1);
  const [column = ''] = content.split(',', 1);
  const item = column.trim();
  return item.length > 1 && item.startsWith('"') && item.endsWith('"') ? item.slice(1, -1).trim() : item;
}

function readPrefix(value: unknown, place: string): IpPrefix {
  const prefix = typeof value === 'string' ? parsePrefix(value.trim()) : undefined;
  if (prefix === undefined)
    throw new RangeFileError('invalid-prefix', `${place} is no address and no prefix in CIDR notation`);
  if (prefix.length < SHORTEST[prefix.family])
    throw new RangeFileError('invalid-prefix', `${place} is shorter than ${SHORTEST[prefix.family]} bits`);
  return prefix;
}

function add(prefixes: ListedPrefix[], prefix: ListedPrefix): void {
  if (prefixes.length >= MAX_PREFIXES)
    throw new RangeFileError('too-many-prefixes', `the list has more than ${MAX_PREFIXES} prefixes`);
  prefixes.push(prefix);
}
