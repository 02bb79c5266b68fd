// Logs of Amazon's load balancers and buckets, whose fields have one order.
import type { LogFormat } from '../log-format.ts';
import { CLF_TIME, ISO_TIME } from '../values/time-format.ts';
import type { LayoutField } from './layout.ts';
import { createTextFormat } from './text-format.ts';

/** Fields without names, each followed by a space. */
function skip(count: number): LayoutField[] {
  return Array.from({ length: count }, () => ({ after: ' ' }));
}

/** Fields in quotes. */
function quoted(name?: LayoutField['name'], after = '" '): LayoutField {
  return { name, after };
}

/**
 * Access logs of Application Load Balancers
 * (https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html). The time is the one at which the
 * load balancer received the request (field 22), and the host is that of the absolute URL in the request line.
 */
export const alb: LogFormat = createTextFormat(
  'alb',
  {
    before: '',
    fields: [
      // type, time, elb
      ...skip(3),
      { name: 'address', after: ' ' },
      // target:port, three processing times
      ...skip(4),
      { name: 'status', after: ' ' },
      // target_status_code, received_bytes
      ...skip(2),
      { name: 'bytes', after: ' "' },
      quoted('request', '" "'),
      quoted('userAgent'),
      // ssl_cipher, ssl_protocol
      ...skip(2),
      // target_group_arn
      { after: ' "' },
      // trace_id, domain_name
      quoted(undefined, '" "'),
      quoted(undefined, '" "'),
      // chosen_cert_arn
      quoted(),
      // matched_rule_priority
      { after: ' ' },
      { time: ISO_TIME, after: '' },
    ],
    hasEscapes: true,
    allowsMore: true,
  },
  { host: true },
);

/**
 * Server access logs of S3 (https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html). Files before 2019 do not have the host.
 */
export const s3: LogFormat = createTextFormat('s3', {
  before: '',
  fields: [
    // bucket owner, bucket
    { after: ' ' },
    { after: ' [' },
    { time: CLF_TIME, after: '] ' },
    { name: 'address', after: ' ' },
    // requester, request ID, operation
    ...skip(3),
    // key
    { after: ' "' },
    quoted('request'),
    { name: 'status', after: ' ' },
    // error code
    { after: ' ' },
    { name: 'bytes', after: ' ' },
    // object size, total time
    ...skip(2),
    // turn-around time
    { after: ' "' },
    quoted(undefined, '" "'),
    quoted('userAgent'),
    // version ID, host ID, signature version, cipher suite, authentication type
    ...skip(5),
    { name: 'hostHeader', after: ' ' },
    // TLS version and later fields
    { after: '' },
  ],
  hasEscapes: false,
  mayEndAfter: 14,
});
