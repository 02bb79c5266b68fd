// Captures in WARC archives: responses and revisits of /robots.txt, and of the targets of redirects from there.
import { Readable } from 'node:stream';
import { getCodings, readBody } from '@maycrawl/client/internal';
import { classifyStatus } from '@maycrawl/client/policy';
import { GOOGLE, MAX_FILE_BYTES } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import { parseUrl, removeFragment } from '@maycrawl/core/url';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { parseTime } from '../time.ts';
import { decodeChunks } from './chunked-body.ts';
import { decompress } from './decompress.ts';
import { type HttpResponse, isStoredDecoded, parseHttpResponse } from './http-response.ts';
import { hasDigest } from './payload-digest.ts';
import { VERSION_START } from './record-boundaries.ts';
import { WarcParser } from './warc-parser.ts';
import type { WarcItem, WarcRecord } from './warc-record.ts';

/** Redirect targets whose responses may follow. */
const MAX_TARGETS = 10_000;

const HTTP_URL = /^<?https?:/i;
const MAX_MESSAGE_CHARS = 200;

/**
 * Reads the captures of a WARC archive, in its order. Their bodies are views: copy what stays in memory.
 *
 * @param totals - receives all counts, and the problems.
 * @throws what the input throws.
 */
export async function* readWarcCaptures(
  input: AsyncIterable<Uint8Array>,
  name: string,
  totals: InputTotals,
): AsyncGenerator<readonly Capture[]> {
  const parser = new WarcParser();
  const reader = new CaptureReader(name, totals);
  for await (const piece of decompress(input, VERSION_START)) {
    if ('problem' in piece) {
      totals.addProblem(piece.problem);
      yield await reader.read(parser.endAtGap());
    } else {
      totals.dataBytes += piece.data.length;
      yield await reader.read(parser.push(piece));
    }
  }
  yield await reader.read(parser.end());
}

class CaptureReader {
  readonly #name: string;
  readonly #totals: InputTotals;
  /** The number of redirects before a target, by URL. */
  readonly #targets: Map<string, number> = new Map();

  constructor(name: string, totals: InputTotals) {
    this.#name = name;
    this.#totals = totals;
  }

  async read(items: Iterable<WarcItem>): Promise<Capture[]> {
    const captures: Capture[] = [];
    for (const item of items) {
      if ('problem' in item) {
        this.#totals.addProblem(item.problem);
        continue;
      }
      this.#totals.addRecord(item.type);
      const capture = this.#readRecord(item);
      if (capture !== undefined) captures.push(capture instanceof Promise ? await capture : capture);
    }
    return captures;
  }

  #readRecord(record: WarcRecord): Capture | Promise<Capture> | undefined {
    const { type, fields } = record;
    if (type !== 'response' && type !== 'revisit' && type !== 'resource') return undefined;
    const target = fields.get('warc-target-uri');
    const url = readTargetUrl(target);
    if (url === undefined) {
      if (target !== undefined && HTTP_URL.test(target)) this.#addInvalidUrl(record, target);
      else this.#totals.otherUrls++;
      return undefined;
    }
    const hops = isRobotsTxtUrl(url) ? 0 : this.#targets.get(url.href);
    if (hops === undefined) {
      this.#totals.otherUrls++;
      return undefined;
    }
    this.#targets.delete(url.href);
    const capture: Capture = {
      url: url.href,
      time: parseTime(fields.get('warc-date') ?? '') ?? null,
      status: null,
      location: null,
      body: null,
      isTruncated: record.isCut || fields.get('warc-truncated') !== undefined,
      kind: 'response',
      hops,
      input: this.#name,
      offset: record.offset,
    };
    // A resource is a body without an HTTP response.
    if (type === 'resource') return { ...capture, body: limitBody(record.block) };
    return this.#readResponse(record, capture);
  }

  #addInvalidUrl({ offset }: WarcRecord, url: string): void {
    const message = `not a URL with a valid host: ${truncate(url, MAX_MESSAGE_CHARS)}`;
    this.#totals.addProblem({ code: 'invalid-url', offset, message });
  }

  #readResponse(record: WarcRecord, capture: Capture): Capture | Promise<Capture> {
    const response = parseHttpResponse(record.block);
    if (record.type === 'revisit') {
      const isDuplicate = record.fields.get('warc-profile')?.includes('identical-payload-digest') === true;
      const revisit: Capture = { ...capture, kind: isDuplicate ? 'duplicate' : 'not-modified' };
      return response === undefined ? revisit : this.#addStatus(response, revisit);
    }
    if (response === undefined) {
      this.#totals.addProblem({
        code: 'invalid-response',
        offset: record.offset,
        message: `there is no HTTP response of ${capture.url}`,
      });
      return { ...capture, kind: 'invalid' };
    }
    return this.#readBody(record, response, this.#addStatus(response, capture));
  }

  #addStatus({ status, fields }: HttpResponse, capture: Capture): Capture {
    const location = fields.get('location') ?? null;
    if (location !== null && classifyStatus(status, GOOGLE) === 'redirect')
      this.#addTarget(location, capture);
    return { ...capture, status, location };
  }

  /** Remembers the target of a redirect, whose response may follow. */
  #addTarget(location: string, { url, hops }: Capture): void {
    const target = parseUrl(location, url);
    if (target === undefined) return;
    if (this.#targets.size === MAX_TARGETS) this.#targets.delete(this.#targets.keys().next().value as string);
    this.#targets.set(removeFragment(target.href), hops + 1);
  }

  #readBody(record: WarcRecord, response: HttpResponse, capture: Capture): Capture | Promise<Capture> {
    const { fields, payload } = response;
    const [encodings, transfers] = [fields.getAll('content-encoding'), fields.getAll('transfer-encoding')];
    const isWhole = !record.isBounded && !record.isCut;
    const chunks =
      isStoredDecoded(response) || !transfers.some((coding) => coding.toLowerCase().includes('chunked'))
        ? undefined
        : decodeChunks(payload, record.block.length);
    const digest = record.fields.get('warc-payload-digest');
    if (digest !== undefined && isWhole) this.#checkDigest(digest, payload, chunks?.bytes);
    const body = chunks?.bytes ?? payload;
    const isTruncated =
      capture.isTruncated ||
      !response.isComplete ||
      (chunks === undefined ? isShort(response) : !chunks.isComplete && isWhole);
    const isCoded = !isStoredDecoded(response) && (encodings.length > 0 || !transfers.every(isChunked));
    if (!isCoded) return { ...capture, body: limitBody(body), isTruncated };
    const headers = { 'content-encoding': encodings, 'transfer-encoding': transfers };
    return this.#decodeBody(body, headers, { ...capture, isTruncated });
  }

  #checkDigest(digest: string, payload: Buffer, decoded: Buffer | undefined): void {
    const isEqual = hasDigest(digest, payload);
    if (isEqual === undefined) return;
    this.#totals.digests++;
    // Some writers compute the digest of the body without its transfer coding.
    if (!isEqual && !(decoded !== undefined && hasDigest(digest, decoded))) this.#totals.wrongDigests++;
  }

  /** Removes the content codings. Some archives contain the decoded body, and the field of the coding. */
  async #decodeBody(
    body: Buffer,
    headers: Readonly<Record<string, readonly string[]>>,
    capture: Capture,
  ): Promise<Capture> {
    const codings = getCodings(headers);
    try {
      const decoded = await readBody(Readable.from([body]), codings, MAX_FILE_BYTES);
      return { ...capture, body: decoded };
    } catch (error) {
      if (codings.some((coding) => coding.endsWith('gzip')) && !(body[0] === 0x1f && body[1] === 0x8b))
        return { ...capture, body: limitBody(body) };
      this.#totals.addProblem({
        code: 'undecodable-body',
        offset: capture.offset,
        message: `the body of ${capture.url} cannot be decoded: ${(error as Error).message}`,
      });
      return { ...capture, isTruncated: true };
    }
  }
}

function isChunked(coding: string): boolean {
  return coding.toLowerCase() === 'chunked';
}

/** Whether the response has less than its length. */
function isShort({ fields, payload }: HttpResponse): boolean {
  const text = fields.get('content-length');
  return text !== undefined && /^\d{1,15}$/.test(text) && payload.length < Number(text);
}

/** One byte more than the limit shows that the file is longer. */
function limitBody(body: Buffer): Uint8Array {
  return body.subarray(0, MAX_FILE_BYTES + 1);
}

/** Reads the URL of a record. Returns `undefined` unless it is an http or https URL. */
function readTargetUrl(
  text: string | undefined,
): { readonly href: string; readonly pathname: string } | undefined {
  if (text === undefined) return undefined;
  // Wget writes angle brackets.
  const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function isRobotsTxtUrl({ pathname }: { readonly pathname: string }): boolean {
  return pathname === '/robots.txt';
}
