// The extended log file format of the W3C (https://www.w3.org/TR/WD-logfile.html) as IIS writes it
// (https://learn.microsoft.com/en-us/windows/win32/http/w3c-logging): times in UTC, `+` for each space of a value. HTTP.sys decodes the
// path before it writes it.
import type { LogFormat } from '../log-format.ts';
import { createHeaderFormat, type NamedField } from './header-format.ts';

const decodeSpaces = (text: string): string => text.replaceAll('+', ' ');

/**
 * Decodes the `+` of a User-Agent header. That before an address (`+http://`), which most crawlers have, was sent: after an opening
 * parenthesis it is the only one, and elsewhere the one before it stands for a space.
 */
function decodeUserAgent(text: string): string {
  return text
    .replace(/\+(?=https?:)/gi, '\0')
    .replaceAll('+', ' ')
    .replaceAll('\0', '+');
}

const FIELDS: ReadonlyMap<string, NamedField> = new Map<string, NamedField>([
  ['date', { time: '%Y-%m-%d' }],
  ['time', { time: '%H:%M:%S%f' }],
  ['c-ip', { name: 'address' }],
  ['cs-method', { name: 'method' }],
  ['cs-uri', { name: 'target' }],
  ['cs-uri-stem', { name: 'path', decode: decodeSpaces }],
  ['cs-uri-query', { name: 'query' }],
  ['sc-status', { name: 'status' }],
  ['sc-bytes', { name: 'bytes' }],
  ['cs(user-agent)', { name: 'userAgent', decode: decodeUserAgent }],
  ['cs-host', { name: 'hostHeader' }],
  ['cs(host)', { name: 'hostHeader' }],
  ['cs(signature)', { name: 'signature', decode: decodeSpaces }],
  ['cs(signature-input)', { name: 'signatureInput', decode: decodeSpaces }],
  ['cs(signature-agent)', { name: 'signatureAgent', decode: decodeSpaces }],
]);

/** The fields that IIS 10 logs unless others are selected. */
const DEFAULT_FIELDS =
  'date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus ' +
  'sc-win32-status time-taken';

export const w3c: LogFormat = createHeaderFormat({
  name: 'w3c',
  separator: ' ',
  fields: FIELDS,
  defaultFields: DEFAULT_FIELDS,
  lastField: 'sc-status',
});
