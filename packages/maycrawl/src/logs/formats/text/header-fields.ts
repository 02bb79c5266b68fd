// Header fields of requests that the readers use.
import type { FieldName } from '../create-request.ts';

/** Fields by the names of header fields in lower case. It has no prototype, because names come from patterns and from files. */
export const HEADER_FIELDS: Readonly<Record<string, FieldName | undefined>> = Object.assign(
  Object.create(null) as Record<string, FieldName>,
  {
    host: 'hostHeader',
    'user-agent': 'userAgent',
    signature: 'signature',
    'signature-input': 'signatureInput',
    'signature-agent': 'signatureAgent',
  } as const,
);
