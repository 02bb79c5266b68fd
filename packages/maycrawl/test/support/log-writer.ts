// Writes requests as the servers log them: the same requests in every format, with the escapes of each.
import { CLF_MONTHS, escapeApache, escapeJson, escapeNginx, percentEncode } from './log-escapes.ts';

/** A request, with the bytes that the client sent as byte strings. */
export interface SentRequest {
  /** In milliseconds since 1970, a whole second. */
  readonly time: number;
  readonly host: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly userAgent: string;
  readonly address: string;
}

/** Lines before all others, and the line of a request, as byte strings. */
export interface LogWriter {
  readonly header: readonly string[];
  write(request: SentRequest): string;
}

/** The time of the common log format, in a zone. */
export function formatClf(time: number, zoneHours: number): string {
  const [date = '', clock = ''] = new Date(time + zoneHours * 3_600_000).toISOString().split('T');
  const [year, month, day] = date.split('-');
  const zone = `${zoneHours < 0 ? '-' : '+'}${String(Math.abs(zoneHours)).padStart(2, '0')}00`;
  return `${day}/${CLF_MONTHS[Number(month) - 1]}/${year}:${clock.slice(0, 8)} ${zone}`;
}

/** The time as `2026-11-28T16:40:03`. */
function formatUtc(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

type Escape = (text: string) => string;

function toRequestLine({ method, target }: SentRequest, encode: Escape): string {
  return encode(`${method} ${target} HTTP/1.1`);
}

function toCombined(request: SentRequest, encode: Escape): string {
  const size = request.bytes === 0 && encode === escapeApache ? '-' : request.bytes;
  const { address, time, status, userAgent } = request;
  const clf = formatClf(time, encode === escapeApache ? 2 : -8);
  return `${address} - - [${clf}] "${toRequestLine(request, encode)}" ${status} ${size} "-" "${encode(userAgent)}"`;
}

/** Splits a target at its query, and decodes the path as IIS does. */
function toStem(target: string): { stem: string; query: string } {
  const [path = '', query = '-'] = target.split('?');
  const stem = path.replace(/%([\dA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return { stem, query };
}

const addPluses = (text: string): string => text.replaceAll(' ', '+');
const line = (separator: string, ...parts: readonly (string | number)[]): string => parts.join(separator);
const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('latin1');
const text = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** The writers by the names of the formats. */
export const WRITERS: Readonly<Record<string, LogWriter>> = {
  combined: { header: [], write: (request) => toCombined(request, escapeNginx) },
  'vhost-combined': {
    header: [],
    write: (request) => `${request.host}:443 ${toCombined(request, escapeApache)}`,
  },
  w3c: {
    header: [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port c-ip cs(User-Agent) cs(Referer) cs-host sc-status sc-bytes',
    ],
    write(request) {
      const { stem, query } = toStem(request.target);
      const [date = '', time = ''] = formatUtc(request.time).split('T');
      const { method, address, userAgent, host, status, bytes } = request;
      return line(
        ' ',
        ...[date, time, '10.0.0.1', method, addPluses(stem), query, 443, address],
        ...[addPluses(userAgent), '-', host, status, bytes],
      );
    },
  },
  cloudfront: {
    header: [
      '#Version: 1.0',
      '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query x-host-header',
    ],
    write(request) {
      const [date = '', time = ''] = formatUtc(request.time).split('T');
      const [path = '', query = '-'] = request.target.split('?');
      const { method, address, userAgent, host, status, bytes } = request;
      return line(
        '\t',
        ...[date, time, 'FRA60', bytes, address, method, 'd1.cloudfront.net', percentEncode(path), status],
        ...['-', percentEncode(userAgent), percentEncode(query), host],
      );
    },
  },
  alb: {
    header: [],
    write(request) {
      const { method, target, address, userAgent, host, status, bytes, time } = request;
      const client = address.includes(':') ? `[${address}]:4711` : `${address}:4711`;
      const url = escapeNginx(`${method} https://${host}:443${target} HTTP/1.1`);
      return `https ${formatUtc(time + 60_000)}.000000Z app/lb/50dc ${client} 10.0.0.1:80 0.1 0.1 0.1 ${status} ${status} 34 ${bytes} "${url}" "${escapeNginx(userAgent)}" ECDHE TLSv1.2 arn:aws:tg "Root=1-58" "${host}" "arn:aws:acm" 1 ${formatUtc(time)}.000000Z "forward" "-"`;
    },
  },
  s3: {
    header: [],
    write(request) {
      const { address, userAgent, host, status, bytes, time } = request;
      const size = bytes === 0 ? '-' : bytes;
      return `79a59df9 shop [${formatClf(time, 0)}] ${address} - 3E57 WEBSITE.GET.OBJECT key "${toRequestLine(request, (text) => text)}" ${status} - ${size} ${size} 7 6 "-" "${userAgent}" - s9lz= - - - ${host} TLSv1.2 - -`;
    },
  },
  caddy: {
    header: [],
    write: ({ method, target, address, userAgent, host, status, bytes, time }) =>
      json({
        ts: time / 1000,
        msg: 'handled request',
        request: {
          ...{
            remote_ip: '10.0.0.1',
            client_ip: address,
            proto: 'HTTP/2.0',
            method,
            host,
            uri: text(target),
          },
          headers: { 'User-Agent': [text(userAgent)] },
        },
        size: bytes,
        status,
      }),
  },
  traefik: {
    header: [],
    write: ({ method, target, address, userAgent, host, status, bytes, time }) =>
      json({
        ClientAddr: address.includes(':') ? `[${address}]:4711` : `${address}:4711`,
        ...{ DownstreamContentSize: bytes, DownstreamStatus: status, RequestAddr: host },
        ...{ RequestMethod: method, RequestPath: text(target), StartUTC: `${formatUtc(time)}.000000001Z` },
        'request_User-Agent': text(userAgent),
      }),
  },
  'nginx-json': {
    header: [],
    write: (request) =>
      `{"time_local":"${formatClf(request.time, 5)}","remote_addr":"${request.address}","request":"${toRequestLine(request, escapeJson)}","status":${request.status},"body_bytes_sent":${request.bytes},"http_host":"${request.host}","http_user_agent":"${escapeJson(request.userAgent)}"}`,
  },
  cloudflare: {
    header: [],
    write: ({ method, target, address, userAgent, host, status, bytes, time }) =>
      json({
        ...{ ClientIP: address, ClientRequestHost: host, ClientRequestMethod: method },
        ...{ ClientRequestURI: text(target), ClientRequestUserAgent: text(userAgent) },
        ...{ EdgeResponseBytes: bytes, EdgeResponseStatus: status, EdgeStartTimestamp: time * 1e6 },
      }),
  },
  fastly: {
    header: [],
    write: ({ method, target, address, userAgent, host, status, bytes, time }) =>
      `<134>${formatUtc(time)}Z cache-fra1 log[62959]: ${json({
        ...{ timestamp: `${formatUtc(time)}+0000`, client_ip: address, host, url: text(target) },
        ...{ request_method: method, request_user_agent: text(userAgent) },
        ...{ response_status: status, response_body_size: bytes },
      })}`,
  },
  '$msec|$remote_addr|$http_host|"$request"|$status|$bytes_sent|"$http_user_agent"': {
    header: [],
    write: (request) =>
      `${request.time / 1000}.000|${request.address}|${request.host}|"${toRequestLine(request, escapeNginx)}"|${request.status}|${request.bytes}|"${escapeNginx(request.userAgent)}"`,
  },
  'log_format raw escape=none "$time_iso8601 $remote_addr $request_method $request_uri $status $bytes_sent $host [$http_user_agent]"':
    {
      header: [],
      write: (request) =>
        line(
          ' ',
          ...[`${formatUtc(request.time)}+00:00`, request.address, request.method, request.target],
          ...[request.status, request.bytes, request.host, `[${request.userAgent}]`],
        ),
    },
  '%V %a %{sec}t \\"%r\\" %>s %B \\"%{User-Agent}i\\"': {
    header: [],
    write: (request) =>
      `${request.host} ${request.address} ${request.time / 1000} "${toRequestLine(request, escapeApache)}" ${request.status} ${request.bytes} "${escapeApache(request.userAgent)}"`,
  },
};
