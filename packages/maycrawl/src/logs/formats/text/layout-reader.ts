// Reads lines of a layout. Fields are found by their positions in the bytes, from left to right, in time linear in the length of the line;
// only those of a crawler's request are decoded.
import { FIELD_INDEX, FIELDS, type FieldName, type LineFields, RequestFactory } from '../create-request.ts';
import type { LineReader, LineResult, ReaderOptions } from '../log-format.ts';
import { CrawlerCache } from '../values/crawler-cache.ts';
import { decodeBytes, unescapeBackslashes } from '../values/escapes.ts';
import type { TimeParser } from '../values/time-parser.ts';
import type { Decode, Layout } from './layout.ts';
import { createSteps, type Step, selectTimes, withForwarded } from './layout-steps.ts';
import { isEscaped, isMissing, isNumber, startsWith } from './line-bytes.ts';

const [CR, SPACE, QUOTE, COLON, OPENING_BRACKET, BACKSLASH] = [0x0d, 0x20, 0x22, 0x3a, 0x5b, 0x5c] as const;
const CLOSING_BRACKET: Uint8Array = Uint8Array.of(0x5d);
/** Fields that are numbers, and their most digits. */
const NUMBERS = [
  { field: FIELD_INDEX.status, digits: 3 },
  { field: FIELD_INDEX.bytes, digits: 20 },
  { field: FIELD_INDEX.port, digits: 5 },
] as const;
const USER_AGENT: number = FIELD_INDEX.userAgent;

export class LayoutReader implements LineReader, LineFields {
  header = '';
  lastTime: number | undefined;
  readonly #before: Uint8Array;
  readonly #steps: readonly Step[];
  readonly #hasEscapes: boolean;
  readonly #allowsMore: boolean;
  readonly #mayEndAfter: number;
  readonly #crawlers: CrawlerCache;
  readonly #requests: RequestFactory;
  readonly #decoders: readonly (Decode | undefined)[];
  /** The parsers whose values make up the time, and the start of the day if no field has it. */
  readonly #times: readonly TimeParser[];
  readonly #day: number;
  /** Start and end of each field in the line; -1 for fields that the layout does not have. */
  readonly #spans: Int32Array = new Int32Array(FIELDS.length * 2).fill(-1);
  #block: Buffer = Buffer.alloc(0);
  /**
   * Bytes of all lines, and bytes behind the ends of lines that searches for quotes have read. The search of the runtime has no end, so that
   * it is used only while the second number is smaller: the time stays linear.
   */
  #bytes = 0;
  #overrun = 0;

  /** @throws {RangeError} if the options name no valid proxies. */
  constructor(layout: Layout, options: ReaderOptions, crawlers?: CrawlerCache) {
    const fields = layout.fields.map((field) => withForwarded(field, options));
    this.#crawlers = crawlers ?? new CrawlerCache(options.recognizeCrawler);
    this.#requests = new RequestFactory(options);
    this.#before = Buffer.from(layout.before);
    this.#hasEscapes = layout.hasEscapes;
    this.#allowsMore = layout.allowsMore ?? false;
    this.#mayEndAfter = layout.mayEndAfter ?? fields.length;
    this.#day = layout.day ?? 0;
    this.#steps = createSteps(fields);
    const fallback = layout.hasEscapes ? unescapeBackslashes : (text: string) => text;
    this.#decoders = FIELDS.map((name) => fields.find((field) => field.name === name)?.decode ?? fallback);
    this.#times = selectTimes(this.#steps.flatMap(({ time }) => time ?? []));
  }

  read(block: Buffer, start: number, lineEnd: number): LineResult {
    const end = lineEnd > start && block[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    if (start === end) return 'skipped';
    this.#bytes += end - start;
    if (!this.#findFields(block, start, end) || !this.#hasNumbers(block)) return undefined;
    let time = this.#day;
    for (const parser of this.#times) time += parser.value;
    this.lastTime = time;
    this.#block = block;
    const spans = this.#spans;
    const from = spans[USER_AGENT * 2] as number;
    const to = spans[USER_AGENT * 2 + 1] as number;
    if (from < 0 || isMissing(block, from, to)) return 'visitor';
    const { crawler, userAgent } = this.#crawlers.find(block, from, to, this.#decodeUserAgent);
    return crawler === undefined ? 'visitor' : this.#requests.create(this, time, crawler, userAgent);
  }

  get(name: FieldName): string | undefined {
    const logged = this.getLogged(name);
    return logged === undefined ? undefined : this.#decoders[FIELD_INDEX[name]]?.(logged);
  }

  getLogged(name: FieldName): string | undefined {
    const index = FIELD_INDEX[name] * 2;
    const from = this.#spans[index] as number;
    const to = this.#spans[index + 1] as number;
    return from < 0 || isMissing(this.#block, from, to)
      ? undefined
      : this.#block.toString('latin1', from, to);
  }

  readonly #decodeUserAgent = (block: Buffer, start: number, end: number): string => {
    const text = block.toString('latin1', start, end);
    return decodeBytes(this.#decoders[USER_AGENT]?.(text) ?? text);
  };

  /** Finds all fields of the line. */
  #findFields(block: Buffer, start: number, end: number): boolean {
    const steps = this.#steps;
    if (!startsWith(block, start, end, this.#before)) return false;
    let at = start + this.#before.length;
    let index = 0;
    /** The end of the field before, as far as another one can be found for it. */
    let previous = -1;
    while (index < steps.length) {
      const { time, after, consumed } = steps[index] as Step;
      let found: number;
      if (time !== undefined) {
        found = time.parse(block, at, end);
        if (found >= 0 && !startsWith(block, found, end, after)) found = -1;
        if (found < 0) {
          // A name of a user can contain the text before the time.
          if (previous < 0) return false;
          const before = steps[index - 1] as Step;
          previous = this.#findEnd(block, previous + 1, end, before.after);
          if (previous < 0) return false;
          this.#setEnd(before.field, previous);
          at = previous + before.consumed;
          continue;
        }
        previous = -1;
      } else {
        found = this.#findFieldEnd(block, at, end, after, index === steps.length - 1);
        const { field } = steps[index] as Step;
        if (field >= 0) this.#spans[field * 2] = at;
        if (found < 0) return index >= this.#mayEndAfter && this.#endLine(block, at, end, index);
        this.#setEnd(field, found);
        previous = after.length === 0 ? -1 : found;
      }
      at = found + consumed;
      index++;
    }
    return at === end || (this.#allowsMore && block[at] === SPACE);
  }

  /** Reads the last field of a line that has fewer fields than the layout. */
  #endLine(block: Buffer, start: number, end: number, index: number): boolean {
    const { field, after } = this.#steps[index] as Step;
    // The text after the field may be a quote and a separator, of which the line has the quote.
    const quotes = after.length > 1 ? 1 : 0;
    if (quotes > end - start || (quotes === 1 && block[end - 1] !== after[0])) return false;
    this.#setEnd(field, end - quotes);
    for (const { field: absent } of this.#steps.slice(index + 1)) this.#setEnd(absent, -1);
    return true;
  }

  #setEnd(field: number, end: number): void {
    if (field >= 0) this.#spans[field * 2 + 1] = end;
  }

  #findFieldEnd(block: Buffer, start: number, end: number, after: Uint8Array, isLast: boolean): number {
    if (after.length === 0) return end;
    // The colons of an IPv6 address in brackets are not the one before the port.
    if (after[0] === COLON && block[start] === OPENING_BRACKET)
      return this.#findEnd(block, this.#findEnd(block, start, end, CLOSING_BRACKET) + 1 || start, end, after);
    if (!isLast || this.#hasEscapes) return this.#findEnd(block, start, end, after);
    // Without escapes, the text after the last field can be in the field, too.
    const found = end - after.length;
    return found >= start && startsWith(block, found, end, after) ? found : -1;
  }

  /** Returns the index of a text that is not escaped; -1 if there is none. */
  #findEnd(block: Buffer, start: number, end: number, text: Uint8Array): number {
    const first = text[0] as number;
    if (first === QUOTE && this.#overrun < this.#bytes) return this.#findQuote(block, start, end, text);
    const hasEscapes = this.#hasEscapes;
    for (let at = start; at < end; at++) {
      const byte = block[at];
      if (byte === first) {
        if (text.length === 1 || startsWith(block, at, end, text)) return at;
      } else if (byte === BACKSLASH && hasEscapes) at++;
    }
    return -1;
  }

  /** The same for a text that begins with a quote, for which the search of the runtime is several times as fast as a loop. */
  #findQuote(block: Buffer, start: number, end: number, text: Uint8Array): number {
    for (let from = start; ; ) {
      const at = block.indexOf(QUOTE, from);
      if (at < 0 || at >= end) {
        this.#overrun += (at < 0 ? block.length : at) - end;
        return -1;
      }
      if (!(this.#hasEscapes && isEscaped(block, start, at)) && startsWith(block, at, end, text)) return at;
      from = at + 1;
    }
  }

  /** Checks the fields that are numbers, so that a line of another format is not read. */
  #hasNumbers(block: Buffer): boolean {
    const spans = this.#spans;
    for (const { field, digits } of NUMBERS) {
      const start = spans[field * 2] as number;
      if (start >= 0 && !isNumber(block, start, spans[field * 2 + 1] as number, digits)) return false;
    }
    return true;
  }
}
