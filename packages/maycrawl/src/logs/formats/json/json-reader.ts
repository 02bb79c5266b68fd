// Reads lines that are JSON objects.
import { type FieldName, type LineFields, RequestFactory } from '../create-request.ts';
import type { LineReader, LineResult, ReaderOptions } from '../log-format.ts';
import { CrawlerCache } from '../values/crawler-cache.ts';
import { decodeBytes, encodeBytes } from '../values/escapes.ts';
import { TimeValueReader } from '../values/time-value.ts';
import type { JsonFormatSpec, KeyPath } from './json-spec.ts';
import { type JsonRecord, parseRecord } from './parse-record.ts';

const [CR, SPACE, TAB] = [0x0d, 0x20, 0x09] as const;

export class JsonReader implements LineReader, LineFields {
  header = '';
  lastTime: number | undefined;
  readonly #spec: JsonFormatSpec;
  readonly #paths: { readonly [Name in FieldName]?: readonly KeyPath[] };
  readonly #crawlers: CrawlerCache;
  readonly #requests: RequestFactory;
  readonly #times = new TimeValueReader();
  #record: JsonRecord = { members: {}, areBytes: false };

  /** @throws {RangeError} if the options name no valid proxies. */
  constructor(spec: JsonFormatSpec, options: ReaderOptions) {
    const forwarded = options.clientIp && spec.getHeaderPaths(options.clientIp.field.toLowerCase());
    this.#spec = spec;
    this.#paths = forwarded === undefined ? spec.fields : { ...spec.fields, forwarded };
    this.#crawlers = new CrawlerCache(options.recognizeCrawler);
    this.#requests = new RequestFactory(options);
  }

  read(block: Buffer, start: number, end: number): LineResult {
    let [from, to] = [start, end];
    while (from < to && isSpace(block[from])) from++;
    while (to > from && isSpace(block[to - 1])) to--;
    if (from === to) return 'skipped';
    const record = parseRecord(block, from, to);
    return record === undefined ? undefined : this.readRecord(record);
  }

  readRecord(record: JsonRecord): LineResult {
    this.#record = record;
    const { required, time: timePaths } = this.#spec;
    if (!required.every((paths) => paths.some((path) => getMember(record, path) !== undefined)))
      return undefined;
    const time = this.#times.read(this.#find(timePaths));
    if (time === undefined || !this.#hasStatus()) return undefined;
    this.lastTime = time;
    const header = this.getLogged('userAgent');
    if (header === undefined) return 'visitor';
    const { crawler, userAgent } = this.#crawlers.findText(record.areBytes ? decodeBytes(header) : header);
    return crawler === undefined ? 'visitor' : this.#requests.create(this, time, crawler, userAgent);
  }

  get(name: FieldName): string | undefined {
    const text = this.getLogged(name);
    return text === undefined || this.#record.areBytes ? text : encodeBytes(text);
  }

  getLogged(name: FieldName): string | undefined {
    const paths = this.#paths[name];
    if (paths === undefined) return undefined;
    const value = this.#find(paths);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'number') return String(first);
    return typeof first !== 'string' || first === '' || first === '-' ? undefined : first;
  }

  /** A status is a number of up to three digits, or missing. */
  #hasStatus(): boolean {
    const status = this.getLogged('status');
    return status === undefined || /^\d{1,3}$/.test(status);
  }

  /** Finds the first member with a value. */
  #find(paths: readonly KeyPath[]): unknown {
    for (const path of paths) {
      const value = getMember(this.#record, path);
      if (value !== undefined && value !== null && value !== '' && value !== '-') return value;
    }
    return undefined;
  }
}

/** Only members that the line has: an object of the runtime has others, such as `constructor`. */
function getMember({ members }: JsonRecord, path: KeyPath): unknown {
  let value: unknown = members;
  for (const key of path) {
    const hasMember = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = hasMember ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}
