// JSON logs of servers: Caddy, Traefik, and nginx with the usual names of members.
import type { LogFormat } from '../log-format.ts';
import { createJsonFormat } from './json-format.ts';
import { toCanonicalHeader, toPaths } from './json-spec.ts';

/**
 * The access log of Caddy 2 (https://caddyserver.com/docs/caddyfile/directives/log; modules/caddyhttp/marshalers.go, v2.10). `client_ip` is
 * the address behind trusted proxies; versions before 2.7 do not have it, and those before 2.5 have `remote_addr`.
 */
export const caddy: LogFormat = createJsonFormat({
  name: 'caddy',
  time: toPaths('ts'),
  fields: {
    address: toPaths('request/client_ip', 'request/remote_ip', 'request/remote_addr'),
    peer: toPaths('request/remote_ip', 'request/remote_addr'),
    method: toPaths('request/method'),
    target: toPaths('request/uri'),
    hostHeader: toPaths('request/host'),
    status: toPaths('status'),
    bytes: toPaths('size'),
    userAgent: toPaths('request/headers/User-Agent'),
    signature: toPaths('request/headers/Signature'),
    signatureInput: toPaths('request/headers/Signature-Input'),
    signatureAgent: toPaths('request/headers/Signature-Agent'),
  },
  required: [toPaths('request/method'), toPaths('request/uri')],
  getHeaderPaths: (field) => [['request', 'headers', toCanonicalHeader(field)]],
});

/**
 * The access log of Traefik 2 and 3 with `format: json` (https://doc.traefik.io/traefik/observability/access-logs/;
 * pkg/middlewares/accesslog/logger.go). It has headers only if they are selected. `ClientHost` is the whole X-Forwarded-For header if the
 * request has one, so that the address is `ClientAddr`.
 */
export const traefik: LogFormat = createJsonFormat({
  name: 'traefik',
  time: toPaths('StartUTC', 'StartLocal', 'time'),
  fields: {
    address: toPaths('ClientAddr', 'ClientHost'),
    method: toPaths('RequestMethod'),
    target: toPaths('RequestPath'),
    hostHeader: toPaths('RequestAddr'),
    requestHost: toPaths('RequestHost'),
    port: toPaths('RequestPort'),
    status: toPaths('DownstreamStatus'),
    bytes: toPaths('DownstreamContentSize'),
    userAgent: toPaths('request_User-Agent'),
    signature: toPaths('request_Signature'),
    signatureInput: toPaths('request_Signature-Input'),
    signatureAgent: toPaths('request_Signature-Agent'),
  },
  required: [toPaths('RequestMethod'), toPaths('RequestPath')],
  getHeaderPaths: (field) => {
    const header = toPaths(`request_${toCanonicalHeader(field)}`);
    return field === 'x-forwarded-for' ? [...header, ['ClientHost']] : header;
  },
});

/**
 * JSON that a log_format of nginx writes (https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format): members with the names of
 * the variables, or other usual names. A pattern describes a format with other names.
 */
export const nginxJson: LogFormat = createJsonFormat({
  name: 'nginx-json',
  time: toPaths(
    ...['time_iso8601', 'time_local', 'msec', 'timestamp', '@timestamp', 'time', 'ts', 'date', 'datetime'],
  ),
  fields: {
    address: toPaths(
      'remote_addr',
      'remote_ip',
      'client_ip',
      'clientip',
      'client',
      'ip',
      'remote',
      'address',
    ),
    peer: toPaths('realip_remote_addr'),
    request: toPaths('request', 'request_line'),
    method: toPaths('request_method', 'method', 'verb', 'http_method'),
    target: toPaths('request_uri', 'requestUri', 'uri', 'url', 'request_url', 'path'),
    query: toPaths('args', 'query_string', 'query'),
    hostHeader: toPaths('http_host'),
    requestHost: toPaths('host', 'domain', 'vhost'),
    serverName: toPaths('server_name'),
    port: toPaths('server_port'),
    status: toPaths('status', 'status_code', 'response_status', 'response', 'code'),
    bytes: toPaths('body_bytes_sent', 'bytes_sent', 'bytes', 'size', 'body_bytes'),
    userAgent: toPaths(
      'http_user_agent',
      'user_agent',
      'userAgent',
      'useragent',
      'agent',
      'http_agent',
      'ua',
    ),
    signature: toPaths('http_signature', 'signature'),
    signatureInput: toPaths('http_signature_input', 'signature_input'),
    signatureAgent: toPaths('http_signature_agent', 'signature_agent'),
  },
  required: [
    toPaths('request', 'request_line', 'request_uri', 'requestUri', 'uri', 'url', 'request_url', 'path'),
    toPaths('status', 'status_code', 'response_status', 'response', 'code'),
  ],
  getHeaderPaths: (field) => {
    const name = field.replaceAll('-', '_');
    return toPaths(`http_${name}`, name, ...(field === 'x-forwarded-for' ? ['xff', 'forwarded_for'] : []));
  },
});
