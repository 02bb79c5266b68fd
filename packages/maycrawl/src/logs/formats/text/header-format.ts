// Formats whose files name their fields in header lines.
import type { FieldName } from '../create-request.ts';
import type { LineReader, LineResult, LogFormat, ReaderOptions } from '../log-format.ts';
import { CrawlerCache } from '../values/crawler-cache.ts';
import { getHeaderAfter, isHeaderLine, parseHeader } from './header-lines.ts';
import { checkLayout, type Decode, type Layout, type LayoutField } from './layout.ts';
import { LayoutReader } from './layout-reader.ts';

/** What a name of `#Fields:` stands for. */
export interface NamedField {
  readonly name?: FieldName;
  readonly time?: string;
  readonly decode?: Decode;
}

/** Formats with header lines. */
export interface HeaderFormatSpec {
  readonly name: string;
  readonly separator: string;
  readonly fields: ReadonlyMap<string, NamedField>;
  /** The fields of a file without header lines, as the documentation orders them by default. */
  readonly defaultFields: string;
  /** The default field after which a line may end. */
  readonly lastField: string;
}

export function createHeaderFormat(spec: HeaderFormatSpec): LogFormat {
  return {
    name: spec.name,
    has: {
      ...{ address: true, host: true, userAgent: true, status: true },
      signature: spec.fields.has('cs(signature)'),
    },
    hasHeader: true,
    getHeaderAfter,
    createReader: (options) => new HeaderReader(spec, options),
  };
}

class HeaderReader implements LineReader {
  readonly #spec: HeaderFormatSpec;
  readonly #options: ReaderOptions;
  readonly #crawlers: CrawlerCache;
  #header = '';
  /** `undefined` if the header names no fields of a request. */
  #reader: LayoutReader | undefined;
  #lastTime: number | undefined;

  constructor(spec: HeaderFormatSpec, options: ReaderOptions) {
    this.#spec = spec;
    this.#options = options;
    this.#crawlers = new CrawlerCache(options.recognizeCrawler);
    this.#reader = this.#createReader();
  }

  get header(): string {
    return this.#header;
  }

  set header(header: string) {
    if (header === this.#header) return;
    this.#header = header;
    this.#reader = this.#createReader();
  }

  get lastTime(): number | undefined {
    return this.#lastTime;
  }

  read(block: Buffer, start: number, end: number): LineResult {
    if (start < end && isHeaderLine(block, start)) {
      this.header = getHeaderAfter(block.subarray(start, end), this.#header);
      return 'skipped';
    }
    const result = this.#reader?.read(block, start, end);
    if (result !== undefined && result !== 'skipped') this.#lastTime = this.#reader?.lastTime;
    return result;
  }

  #createReader(): LayoutReader | undefined {
    const layout = createLayout(this.#spec, this.#header);
    try {
      checkLayout(layout, this.#spec.name);
    } catch {
      // The fields of the file have no time or no request.
      return undefined;
    }
    return new LayoutReader(layout, this.#options, this.#crawlers);
  }
}

function createLayout(spec: HeaderFormatSpec, header: string): Layout {
  const { fields, separator } = spec;
  const parsed = parseHeader(header);
  const isDefault = parsed.fields.length === 0;
  const names = isDefault ? spec.defaultFields.split(' ') : parsed.fields;
  const day = parsed.day === undefined ? Number.NaN : Date.parse(parsed.day);
  const layoutFields = names.map((written, index): LayoutField => {
    const name = written.toLowerCase();
    const field = fields.get(name) ?? {};
    const after = index === names.length - 1 ? '' : separator;
    return { ...field, after, header: /^cs\((.+)\)$/.exec(name)?.[1] ?? name };
  });
  const hasDate = names.some((name) => name.toLowerCase() === 'date');
  return {
    before: '',
    fields: layoutFields,
    hasEscapes: false,
    mayEndAfter: isDefault ? names.indexOf(spec.lastField) : undefined,
    day: hasDate || Number.isNaN(day) ? undefined : day,
  };
}
