// A response that should be a JSON object of a certain media type.
import { parseObject, truncate } from '@maycrawl/core/internal';
import type { DocumentResponse } from '../documents/document-requests.ts';
import { createFinding, type IdentityFinding, type IdentityFindingCode } from './findings.ts';

/** Characters of a value in a message. */
const MAX_DETAIL = 200;

/** The object, if there is one, and the findings so far. */
export interface JsonDocument {
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly findings: readonly IdentityFinding[];
}

/** Reads a response. @param subject - of the findings. */
export function readJsonDocument(
  { status, location, body, headers, url }: DocumentResponse,
  subject: string,
  { maxBytes, isType }: { readonly maxBytes: number; readonly isType: (type: string) => boolean },
): JsonDocument {
  const findings: IdentityFinding[] = [];
  const add = (code: IdentityFindingCode, detail: string | null = null): void => {
    findings.push(createFinding(code, subject, detail));
  };
  if (!url.startsWith('https:')) add('not-https');
  if (status >= 300 && status < 400) add('redirect', location === undefined ? null : quote(location));
  else if (status !== 200) add('wrong-status', String(status));
  if (status !== 200) return { value: undefined, findings };
  const type = getHeader(headers, 'content-type') ?? '';
  if (!isType(type.split(';')[0]?.trim().toLowerCase() ?? ''))
    add('wrong-content-type', type === '' ? 'none' : quote(type));
  if (body.length > maxBytes) {
    add('too-large', `more than ${maxBytes} bytes`);
    return { value: undefined, findings };
  }
  const value = parseObject(Buffer.from(body).toString());
  if (value === undefined) add('invalid-json');
  return { value, findings };
}

/** Returns the value of a header, with all its lines; `undefined` without one. */
export function getHeader(headers: DocumentResponse['headers'], name: string): string | undefined {
  const values = headers.filter(([each]) => each === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** Shortens text of a server for a message. */
export function quote(text: string): string {
  return truncate(text, MAX_DETAIL);
}
