/**
 * Where a page leads, as it is kept: for each URL its key and in which ways it is named, nine bytes. A row for each link would
 * take ten times the room and the time.
 *
 * @module
 */

/** In which ways a page names a URL; one may be named in several. */
export const WAYS = {
  /** `<a>`, `<area>`, `<iframe>` or `<frame>`, to be followed. */
  link: 1,
  /** The same with rel="nofollow", or on a page that says `nofollow` to all. */
  nofollow: 2,
  redirect: 4,
  refresh: 8,
  canonical: 16,
  alternate: 32,
  /** rel="next" or rel="prev". */
  neighbour: 64,
} as const;

/** Those by which a visitor gets there: the depth of a page is counted in them. */
export const WALKED: number = WAYS.link | WAYS.nofollow | WAYS.redirect | WAYS.refresh;

/** That a page leads to a URL. */
export interface Lead {
  readonly key: number;
  /** The sum of its {@link WAYS}. */
  readonly ways: number;
}

const BYTES = 9;

/** Writes leads: each its key as a double, little-endian, and a byte for its ways. */
export function packLeads(leads: readonly Lead[]): Buffer {
  const bytes = Buffer.allocUnsafe(leads.length * BYTES);
  let at = 0;
  for (const { key, ways } of leads) {
    bytes.writeDoubleLE(key, at);
    bytes[at + 8] = ways;
    at += BYTES;
  }
  return bytes;
}

/** Reads leads. @throws {RangeError} if the bytes are none. */
export function unpackLeads(bytes: Uint8Array): Lead[] {
  if (bytes.length % BYTES !== 0) throw new RangeError(`${bytes.length} bytes are no list of links`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const leads: Lead[] = [];
  for (let at = 0; at < buffer.length; at += BYTES)
    leads.push({ key: buffer.readDoubleLE(at), ways: buffer[at + 8] as number });
  return leads;
}
