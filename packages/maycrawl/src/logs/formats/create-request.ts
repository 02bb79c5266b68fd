// From the fields of a line to the request of a crawler. All formats end here.
import type { LogRequest, SignatureFields } from '../request.ts';
import type { ReaderOptions } from './log-format.ts';
import { ForwardedAddress, toAddress } from './values/address.ts';
import { decodeBytes } from './values/escapes.ts';
import { toHost } from './values/host.ts';
import {
  joinDecodedPath,
  parseRequestLine,
  parseTarget,
  type RequestLine,
  toMethod,
} from './values/target.ts';

/** Fields that the formats have in common. */
export const FIELDS = [
  /** The address of the client. */
  'address',
  /** The address of the connection, if the server took that of the client from a header field. */
  'peer',
  /** The address or name of the client. */
  'hostname',
  /** The header field with the address of the client. */
  'forwarded',
  /** The request line. */
  'request',
  'method',
  /** The request target as it was sent. */
  'target',
  /** The path, decoded by the server. */
  'path',
  'query',
  /** Path and query, joined by the server: the path is decoded. */
  'pathAndQuery',
  'status',
  'bytes',
  'userAgent',
  /** The Host header. */
  'hostHeader',
  /** The host that the server derived from the request. */
  'requestHost',
  /** The name of the server in its configuration. */
  'serverName',
  'port',
  'signature',
  'signatureInput',
  'signatureAgent',
] as const;

/** The index of each field in {@link FIELDS}. */
export const FIELD_INDEX: Readonly<Record<FieldName, number>> = Object.fromEntries(
  FIELDS.map((name, index) => [name, index]),
) as Record<FieldName, number>;

export type FieldName = (typeof FIELDS)[number];

/** The fields of a line. */
export interface LineFields {
  /** The value of a field as a byte string without escapes; `undefined` if the line does not have it. */
  get(name: FieldName): string | undefined;
  /** The value of a field as it is logged, with its escapes. */
  getLogged(name: FieldName): string | undefined;
}

/** Creates requests from fields of lines. */
export class RequestFactory {
  readonly #forwarded: ForwardedAddress | undefined;

  /** @throws {RangeError} if the options name no valid proxies. */
  constructor({ clientIp }: ReaderOptions) {
    this.#forwarded = clientIp === undefined ? undefined : new ForwardedAddress(clientIp);
  }

  create(fields: LineFields, time: number, crawler: string, userAgent: string): LogRequest {
    const { method, target, host } = getRequestLine(fields);
    return {
      time,
      host: host ?? getHost(fields) ?? null,
      method,
      target,
      status: toStatus(fields.get('status')),
      bytes: toBytes(fields.get('bytes')),
      crawler,
      userAgent,
      address: this.#getAddress(fields) ?? null,
      signature: getSignature(fields),
    };
  }

  #getAddress(fields: LineFields): string | undefined {
    const address = fields.get('address') ?? fields.get('hostname');
    const peer = fields.get('peer');
    if (this.#forwarded !== undefined) return this.#forwarded.find(peer ?? address, fields.get('forwarded'));
    const own = address ?? peer;
    return own === undefined ? undefined : toAddress(own);
  }
}

/** The target as it was sent is preferred to a decoded path. */
function getRequestLine(fields: LineFields): RequestLine {
  const request = fields.get('request');
  const line =
    request === undefined ? undefined : parseRequestLine(request, fields.getLogged('request') ?? request);
  const logged = fields.get('method');
  const method = logged === undefined ? (line?.method ?? '') : toMethod(logged);
  const target = fields.get('target');
  if (target !== undefined) return { method, host: line?.host, ...parseTarget(target) };
  if (line !== undefined) return { ...line, method };
  const joined = fields.get('pathAndQuery');
  if (joined !== undefined) {
    const mark = joined.indexOf('?');
    const path = mark < 0 ? joined : joined.slice(0, mark);
    return { method, target: joinDecodedPath(path, mark < 0 ? undefined : joined.slice(mark + 1)) };
  }
  return { method, target: joinDecodedPath(fields.get('path') ?? '', fields.get('query')) };
}

function getHost(fields: LineFields): string | undefined {
  const header = fields.get('hostHeader');
  const host = header === undefined ? undefined : toHost(header);
  if (host !== undefined) return host;
  const port = fields.get('port');
  for (const name of ['requestHost', 'serverName'] as const) {
    const text = fields.get(name);
    const found = text === undefined ? undefined : toHost(text, port);
    if (found !== undefined) return found;
  }
  return undefined;
}

function getSignature(fields: LineFields): SignatureFields | null {
  const signature = fields.get('signature');
  const input = fields.get('signatureInput');
  if (signature === undefined || input === undefined) return null;
  const agent = fields.get('signatureAgent') ?? '';
  return { signature: decodeBytes(signature), input: decodeBytes(input), agent: decodeBytes(agent) };
}

/** A status of three digits. Some servers write 0 or 000 if they sent no response. */
function toStatus(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d\d$/.test(text) ? Number(text) : null;
}

function toBytes(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
