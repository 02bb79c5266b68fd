// HTTP responses as archives store them (RFC 9112), tolerant: what servers sent is stored, and some archives change it.
import { HeaderFields } from './header-fields.ts';
import { parseLength } from './warc-parser.ts';

const PREFIX: Buffer = Buffer.from('HTTP/');
const LF = 10;
const CR = 13;

/** Maximum length of the header of a response in bytes. */
const MAX_HEAD_BYTES = 256 * 1024;
/** Interim responses (1xx) before the response. */
const MAX_INTERIM = 4;

/** The fields that matter for the body. */
const NAMES = [
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'location',
  'x-crawler-content-encoding',
  'x-crawler-content-length',
  'x-crawler-transfer-encoding',
] as const;

/** A response in an archive. Its bytes are views. */
export interface HttpResponse {
  readonly status: number;
  readonly fields: HeaderFields<(typeof NAMES)[number]>;
  /** What follows the header, as it is stored. */
  readonly payload: Buffer;
  /** Whether the header has its empty line, within the limit. Without it there is no payload. */
  readonly isComplete: boolean;
}

/** Parses a response. Returns `undefined` if the bytes do not begin with a status line. */
export function parseHttpResponse(bytes: Buffer): HttpResponse | undefined {
  let rest = bytes;
  for (let interim = 0; interim <= MAX_INTERIM; interim++) {
    const response = parseOne(rest);
    if (
      response === undefined ||
      response.status >= 200 ||
      !response.payload.subarray(0, PREFIX.length).equals(PREFIX)
    )
      return response;
    rest = response.payload;
  }
  return undefined;
}

function parseOne(bytes: Buffer): HttpResponse | undefined {
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) return undefined;
  const lineEnd = bytes.indexOf(LF);
  const line = bytes.toString('latin1', 0, Math.min(lineEnd < 0 ? bytes.length : lineEnd, 64));
  const status = /^HTTP\/\d(?:\.\d)? +(\d{3})(?:\D|$)/.exec(line)?.[1];
  if (status === undefined) return undefined;
  const head = bytes.subarray(0, MAX_HEAD_BYTES);
  const fields = new HeaderFields(NAMES, head, lineEnd < 0 ? head.length : lineEnd + 1, { isLast: true });
  const { isComplete } = fields;
  const payload = bytes.subarray(isComplete ? fields.end : bytes.length);
  return {
    status: Number(status),
    fields,
    payload: hasExtraLine(payload, fields) ? payload.subarray(2) : payload,
    isComplete,
  };
}

/** In the crawl CC-MAIN-2018-34 an empty line too many precedes the payload. */
function hasExtraLine(payload: Buffer, fields: HttpResponse['fields']): boolean {
  if (payload[0] !== CR || payload[1] !== LF) return false;
  return parseLength(fields.get('content-length')) === payload.length - 2;
}

/** Whether the archive contains the decoded body, as those of Common Crawl do: it renamed the fields about the encoding. */
export function isStoredDecoded({ fields }: HttpResponse): boolean {
  return (
    fields.get('x-crawler-content-encoding') !== undefined ||
    fields.get('x-crawler-transfer-encoding') !== undefined ||
    fields.get('x-crawler-content-length') !== undefined
  );
}
