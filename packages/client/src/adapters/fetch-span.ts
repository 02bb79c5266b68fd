// A fetch of a robots.txt in the terms of the HTTP semantic conventions of OpenTelemetry
// (https://opentelemetry.io/docs/specs/semconv/http/http-spans/): one span for the whole fetch, with the URL of the first request.
import { type Attributes, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { DEFAULT_PORTS } from '../http/connector.ts';
import type { FetchMessage } from '../origins/events/client-event.ts';

/** The same template for each URL. */
const TEMPLATE = '/robots.txt';

/** Names of errors and codes of this machine, such as `EMFILE`. Other names could be any text. */
const ERROR_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Returns the attributes of a fetch that spans and metrics have: each has few values. */
export function toFetchAttributes(message: FetchMessage): Attributes {
  const attributes: Attributes = {};
  const isFtp = message.url.startsWith('ftp:');
  if (isFtp) attributes['network.protocol.name'] = 'ftp';
  else attributes['http.request.method'] = 'GET';
  if (message.kind === 'fetch-failed') {
    attributes['maycrawl.robots.result'] = 'failed';
    attributes['error.type'] = getErrorType(message.error);
    return attributes;
  }
  const { result, status, code } = message;
  attributes['maycrawl.robots.result'] = result;
  if (status !== null && !isFtp) attributes['http.response.status_code'] = status;
  if (code !== null) attributes['maycrawl.robots.code'] = code;
  // A robots.txt that does not exist (404) is no error: the conventions leave that to those who know what a status means.
  if (result === 'unreachable' || code === 'too-many-redirects' || code === 'bad-redirect')
    attributes['error.type'] = code === 'http-status' ? String(status) : (code ?? '_OTHER');
  return attributes;
}

/**
 * Records the span of a fetch that has ended. Its parent is the span that is active where the fetch was started: that of the first caller
 * that waited for it.
 */
export function recordFetchSpan(tracer: Tracer, message: FetchMessage, attributes: Attributes): void {
  const { url, userAgent, duration } = message;
  const { hostname, port, protocol } = new URL(url);
  const end = Date.now();
  const span = tracer.startSpan(`${protocol === 'ftp:' ? 'RETR' : 'GET'} ${TEMPLATE}`, {
    kind: SpanKind.CLIENT,
    startTime: end - duration,
    attributes: {
      ...attributes,
      'url.full': url,
      'url.template': TEMPLATE,
      'server.address': hostname.replace(/^\[|\]$/g, ''),
      'server.port': Number(port) || DEFAULT_PORTS[protocol] || 0,
      'user_agent.original': userAgent,
      ...(message.kind === 'fetched' && { 'maycrawl.robots.responses': message.responses }),
    },
  });
  if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  if (message.kind === 'fetch-failed' && message.error instanceof Error)
    span.recordException(message.error, end);
  span.end(end);
}

/** Returns the code or the name of an error of this machine. */
function getErrorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  const { code } = error as { readonly code?: unknown };
  const type = typeof code === 'string' ? code : error.name;
  return ERROR_NAME.test(type) ? type : '_OTHER';
}
