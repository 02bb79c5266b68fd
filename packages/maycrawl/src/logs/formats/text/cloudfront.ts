// Standard logs of CloudFront
// (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html): fields between tabs, times in UTC.
// Values are percent-encoded, and their own percent signs too, so that one decoding returns the path as it was sent. Older files encode the
// spaces of the User-Agent header twice.
import type { LogFormat } from '../log-format.ts';
import { decodePercent } from '../values/escapes.ts';
import { createHeaderFormat, type NamedField } from './header-format.ts';

function decodeUserAgent(text: string): string {
  const decoded = decodePercent(text);
  return decoded.includes('%20') && !decoded.includes(' ') ? decodePercent(decoded) : decoded;
}

const FIELDS: ReadonlyMap<string, NamedField> = new Map<string, NamedField>([
  ['date', { time: '%Y-%m-%d' }],
  ['time', { time: '%H:%M:%S%f' }],
  ['c-ip', { name: 'address' }],
  ['cs-method', { name: 'method' }],
  ['cs-uri-stem', { name: 'path', decode: decodePercent }],
  ['cs-uri-query', { name: 'query', decode: decodePercent }],
  ['sc-status', { name: 'status' }],
  ['sc-bytes', { name: 'bytes' }],
  ['cs(user-agent)', { name: 'userAgent', decode: decodeUserAgent }],
  ['x-host-header', { name: 'hostHeader' }],
  // The domain of the distribution.
  ['cs(host)', { name: 'requestHost' }],
]);

/** The fields in their documented order. */
const DEFAULT_FIELDS =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) ' +
  'x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher ' +
  'x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte ' +
  'x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end';

export const cloudfront: LogFormat = createHeaderFormat({
  name: 'cloudfront',
  separator: '\t',
  fields: FIELDS,
  defaultFields: DEFAULT_FIELDS,
  lastField: 'x-host-header',
});
