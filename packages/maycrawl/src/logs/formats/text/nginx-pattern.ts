// Patterns of nginx's log_format (https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format, nginx 1.27; variables:
// https://nginx.org/en/docs/http/ngx_http_core_module.html#variables). Unknown variables are skipped.
import { quoteValue } from '@maycrawl/core/internal';
import type { FieldName } from '../create-request.ts';
import { CLF_TIME, ISO_TIME, UNIX_TIME } from '../values/time-format.ts';
import { HEADER_FIELDS } from './header-fields.ts';
import type { Layout } from './layout.ts';
import { buildLayout, type PatternPart } from './pattern-parts.ts';

const VARIABLES: Readonly<Record<string, FieldName>> = {
  remote_addr: 'address',
  realip_remote_addr: 'peer',
  request: 'request',
  request_method: 'method',
  request_uri: 'target',
  uri: 'path',
  document_uri: 'path',
  args: 'query',
  query_string: 'query',
  status: 'status',
  body_bytes_sent: 'bytes',
  bytes_sent: 'bytes',
  host: 'requestHost',
  server_name: 'serverName',
  server_port: 'port',
};
const TIMES: Readonly<Record<string, string>> = {
  time_local: CLF_TIME,
  time_iso8601: ISO_TIME,
  msec: UNIX_TIME,
};

/**
 * Compiles a pattern: the format string, or the whole directive with its quoted parts.
 *
 * @throws {RangeError} if the pattern is invalid.
 */
export function compileNginxPattern(pattern: string): Layout {
  const { format, escaping } = readDirective(pattern);
  return buildLayout(parse(format), { hasEscapes: escaping !== 'none' });
}

/** Reads `log_format name escape=json 'first part' 'second part';`, or parts of it. */
function readDirective(pattern: string): { format: string; escaping: string } {
  let text = pattern.trim();
  text = text.replace(/^log_format\s+[^\s'"]+\s+/, '');
  const option = /^escape=(\w+)\s+/.exec(text);
  const escaping = option?.[1] ?? 'default';
  if (!['default', 'json', 'none'].includes(escaping))
    throw new RangeError(`escape must be default, json or none, not ${quoteValue(escaping)}`);
  text = text.slice(option?.[0].length ?? 0);
  return { format: joinStrings(text) ?? text, escaping };
}

/** Joins quoted strings that only white space separates. @returns `undefined` if the text is not made of such strings. */
function joinStrings(text: string): string | undefined {
  let joined = '';
  let at = 0;
  while (at < text.length) {
    const quote = text[at] as string;
    if (quote !== "'" && quote !== '"') return undefined;
    at++;
    while (at < text.length && text[at] !== quote) {
      if (text[at] === '\\' && at + 1 < text.length) {
        const char = text[at + 1] as string;
        joined += `'"\\`.includes(char) ? char : char === 't' ? '\t' : char === 'n' ? '\n' : `\\${char}`;
        at += 2;
      } else joined += text[at++];
    }
    if (at >= text.length) return undefined;
    at++;
    while (at < text.length && ' \t\r\n'.includes(text[at] as string)) at++;
    if (text[at] === ';') return joined;
  }
  return joined;
}

function parse(format: string): PatternPart[] {
  const parts: PatternPart[] = [];
  let end = 0;
  for (const { 0: written, 1: braced, 2: bare, index } of format.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)) {
    if (index > end) parts.push(format.slice(end, index));
    parts.push(toPart(braced ?? (bare as string)));
    end = index + written.length;
  }
  return end < format.length ? [...parts, format.slice(end)] : parts;
}

function toPart(variable: string): PatternPart {
  if (Object.hasOwn(TIMES, variable)) return { time: TIMES[variable] };
  if (Object.hasOwn(VARIABLES, variable)) return { name: VARIABLES[variable] };
  if (variable === 'is_args') return { isQueryMark: true };
  if (!variable.startsWith('http_')) return {};
  const header = variable.slice('http_'.length).replaceAll('_', '-');
  return { name: HEADER_FIELDS[header], header };
}
