// Logs of Fastly (https://www.fastly.com/documentation/guides/integrations/streaming-logs/useful-log-formats): JSON, with a prefix of
// syslog or without, or the combined or common log format after such a prefix. Without the prefix, these are formats of their own.
import { FASTLY_JSON } from './json/cdn-formats.ts';
import { createJsonFormat } from './json/json-format.ts';
import type { LineReader, LineResult, LogFormat, ReaderOptions } from './log-format.ts';
import { combined, common } from './text/text-format.ts';

const [LESS_THAN, COLON, SPACE] = [0x3c, 0x3a, 0x20] as const;

const json: LogFormat = createJsonFormat(FASTLY_JSON);

export const fastly: LogFormat = {
  name: FASTLY_JSON.name,
  has: json.has,
  hasHeader: false,
  getHeaderAfter: (_, header) => header,
  createReader: (options) => new FastlyReader(options),
};

class FastlyReader implements LineReader {
  header = '';
  readonly #readers: readonly LineReader[];
  #lastTime: number | undefined;

  constructor(options: ReaderOptions) {
    // The lines of the text formats have the address of the client, which Fastly took from the connection.
    const plain: ReaderOptions = { recognizeCrawler: options.recognizeCrawler };
    this.#readers = [json.createReader(options), combined.createReader(plain), common.createReader(plain)];
  }

  get lastTime(): number | undefined {
    return this.#lastTime;
  }

  read(block: Buffer, start: number, end: number): LineResult {
    const from = skipSyslogPrefix(block, start, end);
    for (const reader of from === start ? this.#readers.slice(0, 1) : this.#readers) {
      const result = reader.read(block, from, end);
      if (result === undefined) continue;
      if (result !== 'skipped') this.#lastTime = reader.lastTime;
      return result;
    }
    return undefined;
  }
}

/** Skips `<134>2026-11-28T16:40:03Z cache-fra19123 name[62959]: `. @returns the index of the message. */
function skipSyslogPrefix(block: Buffer, start: number, end: number): number {
  if (block[start] !== LESS_THAN) return start;
  // The time has colons without a space after them.
  for (let at = start; at + 1 < end; at++) if (block[at] === COLON && block[at + 1] === SPACE) return at + 2;
  return start;
}
