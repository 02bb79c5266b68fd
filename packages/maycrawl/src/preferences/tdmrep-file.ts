/**
 * The response to a request for `/.well-known/tdmrep.json` (TDM Reservation Protocol, W3C Community Group report of 2024-05-10).
 *
 * @module
 */

/** The path of the file on each origin. */
export const TDMREP_PATH = '/.well-known/tdmrep.json';
/** Maximum number of bytes of the file. */
export const MAX_TDMREP = 1_000_000;

/** The file of a site. */
export interface TdmRepFile {
  /** `null` if there is no file, or it cannot be used. */
  readonly text: string | null;
  /** Why an existing file cannot be used, as a clause; `null` if it can, or there is none. */
  readonly problem: string | null;
}

/** Reads the response. */
export function readTdmRepFile({
  status,
  body,
}: {
  readonly status: number;
  readonly body: Uint8Array;
}): TdmRepFile {
  if (status === 404 || status === 410) return { text: null, problem: null };
  const problem =
    describeStatus(status) ?? (body.length > MAX_TDMREP ? `it has more than ${MAX_TDMREP} bytes` : null);
  return { text: problem === null ? new TextDecoder().decode(body) : null, problem };
}

/** Describes a status without content to read; `null` for others. */
export function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `it redirects (status ${status})` : `status ${status}`;
}
