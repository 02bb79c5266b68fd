// The response to a request for `/.well-known/tdmrep.json` (TDM Reservation Protocol, W3C Community Group report of 2024-05-10).

import { isHtmlMediaType, parseMediaType } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import { parseTdmRep } from '@maycrawl/core/preferences';

/** The path of the file on each origin. */
export const TDMREP_PATH = '/.well-known/tdmrep.json';
/** Maximum number of bytes of the file. */
export const MAX_TDMREP = 1_000_000;

/** The file of a site. */
export interface TdmRepFile {
  /** `null` if there is no file, or it cannot be used. */
  readonly text: string | null;
  /** Why an existing file cannot be used, as a clause; `null` if it can, or does not exist. */
  readonly problem: string | null;
}

/** A response with its body. */
interface FileResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** Characters of a Location header that a message repeats. */
const MAX_LOCATION = 300;

export function readTdmRepFile(response: FileResponse): TdmRepFile {
  if (isMissing(response)) return { text: null, problem: null };
  const { body } = response;
  const problem =
    describeStatus(response) ?? (body.length > MAX_TDMREP ? `it has more than ${MAX_TDMREP} bytes` : null);
  if (problem !== null) return { text: null, problem };
  return parseTdmRepFile(new TextDecoder().decode(body));
}

/** Reads the text of an existing file. */
export function parseTdmRepFile(text: string): TdmRepFile {
  return parseTdmRep(text) === null
    ? { text: null, problem: 'it is not a JSON array, so it declares nothing' }
    : { text, problem: null };
}

/** Whether there is no file. Many sites respond to every path with their start page. */
function isMissing({ status, headers }: FileResponse): boolean {
  if (status === 404 || status === 410) return true;
  const type = getHeader(headers, 'content-type');
  return status >= 200 && status < 300 && type !== undefined && isHtmlMediaType(parseMediaType(type));
}

/** Describes a status without content to read; `null` for others. */
export function describeStatus({ status, headers }: Omit<FileResponse, 'body'>): string | null {
  if (status >= 200 && status < 300) return null;
  const target = getHeader(headers, 'location');
  return status >= 300 && status < 400 && target !== undefined
    ? `it redirects to ${truncate(target, MAX_LOCATION)} (status ${status})`
    : `status ${status}`;
}

function getHeader(headers: FileResponse['headers'], name: string): string | undefined {
  return headers.findLast(([each]) => each.toLowerCase() === name)?.[1];
}
