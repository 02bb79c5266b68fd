// JSON logs of content delivery networks: Cloudflare and Fastly.
import type { LogFormat } from '../log-format.ts';
import { createJsonFormat } from './json-format.ts';
import { type JsonFormatSpec, toPaths } from './json-spec.ts';

/**
 * HTTP requests of Cloudflare's Logpush (https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/). The job
 * selects the fields, and writes times in nanoseconds, in seconds or as RFC 3339 says. Header fields are in `RequestHeaders` if the zone
 * has custom fields (https://developers.cloudflare.com/logs/reference/custom-fields/).
 */
export const cloudflare: LogFormat = createJsonFormat({
  name: 'cloudflare',
  time: toPaths('EdgeStartTimestamp', 'EdgeEndTimestamp'),
  fields: {
    address: toPaths('ClientIP'),
    method: toPaths('ClientRequestMethod'),
    target: toPaths('ClientRequestURI', 'ClientRequestPath'),
    hostHeader: toPaths('ClientRequestHost'),
    status: toPaths('EdgeResponseStatus'),
    bytes: toPaths('EdgeResponseBytes'),
    userAgent: toPaths('ClientRequestUserAgent', 'RequestHeaders/user-agent'),
    signature: toPaths('RequestHeaders/signature'),
    signatureInput: toPaths('RequestHeaders/signature-input'),
    signatureAgent: toPaths('RequestHeaders/signature-agent'),
  },
  required: [toPaths('ClientRequestURI', 'ClientRequestPath')],
  getHeaderPaths: (field) => [['RequestHeaders', field]],
});

/**
 * The members of Fastly's JSON formats (https://www.fastly.com/documentation/guides/integrations/streaming-logs/useful-log-formats): the
 * example of the documentation, and the formats that Fastly proposes for New Relic and others, in which `request` is the method.
 */
export const FASTLY_JSON: JsonFormatSpec = {
  name: 'fastly',
  time: toPaths('timestamp', 'time_start', 'start_time', 'time'),
  fields: {
    address: toPaths('client_ip', 'remote_ip'),
    method: toPaths('request_method', 'method', 'request'),
    target: toPaths('url', 'request_url', 'request_uri'),
    hostHeader: toPaths('host', 'request_host'),
    status: toPaths('response_status', 'status', 'status_code'),
    bytes: toPaths('response_body_size', 'response_body_bytes', 'bytes', 'resp_body_size'),
    userAgent: toPaths('request_user_agent', 'user_agent'),
    signature: toPaths('request_signature'),
    signatureInput: toPaths('request_signature_input'),
    signatureAgent: toPaths('request_signature_agent'),
  },
  required: [
    toPaths('url', 'request_url', 'request_uri'),
    toPaths('request_user_agent', 'fastly_server', 'fastly_is_edge'),
  ],
  getHeaderPaths: (field) => {
    const name = field.replaceAll('-', '_');
    return toPaths(`request_${name}`, name);
  },
};
