// Where a page links, as it is kept: for each URL its key and in which ways it is named, nine bytes. A row for each link would
// take ten times the space and time.
import { freezeDeep } from '@maycrawl/core/internal';

/** In which types a page names a URL; one may be named in several. */
export const LINK_TYPES = {
  /** `<a>`, `<area>`, `<iframe>` or `<frame>`, to be followed. */
  link: 1,
  /** The same with rel="nofollow", or on a page with a `nofollow` directive. */
  nofollow: 2,
  redirect: 4,
  refresh: 8,
  canonical: 16,
  alternate: 32,
  /** rel="next" or rel="prev". */
  neighbour: 64,
  /** Together with other types: the page names the URL so only after its scripts have run. It has an entry of its own. */
  rendered: 128,
} as const;
freezeDeep(LINK_TYPES);

/** All types. */
export const ALL_TYPES = 255;

/** The types that a visitor follows. Those that a crawler follows, too, determine the depth of a page (run/tables/depths.ts). */
export const WALKED: number =
  LINK_TYPES.link | LINK_TYPES.nofollow | LINK_TYPES.redirect | LINK_TYPES.refresh;

/** The types that lead a crawler to the URL: all but `nofollow`, with which a link can be a rendered one. */
export const FOLLOWED: number = ALL_TYPES & ~(LINK_TYPES.nofollow | LINK_TYPES.rendered);

/** That a page links to a URL. */
export interface PageLink {
  readonly key: number;
  /** The sum of its {@link LINK_TYPES}. */
  readonly types: number;
}

/** Returns a buffer of the same bytes. */
export function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Length of a link in a list. */
export const LINK_BYTES = 9;

/** Writes links: each its key as a double, little-endian, and a byte for its link types. */
export function packLinks(links: readonly PageLink[]): Buffer {
  const bytes = Buffer.allocUnsafe(links.length * LINK_BYTES);
  let at = 0;
  for (const { key, types } of links) {
    bytes.writeDoubleLE(key, at);
    bytes[at + 8] = types;
    at += LINK_BYTES;
  }
  return bytes;
}

/** Reads links. @throws {RangeError} if the length is not that of a list. */
export function unpackLinks(bytes: Uint8Array): PageLink[] {
  if (bytes.length % LINK_BYTES !== 0) throw new RangeError(`${bytes.length} bytes are not a list of links`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const links: PageLink[] = [];
  for (let at = 0; at < buffer.length; at += LINK_BYTES)
    links.push({ key: buffer.readDoubleLE(at), types: buffer[at + 8] as number });
  return links;
}

/**
 * Finds a link to a URL. There can be two: one of the page, and one that its scripts add.
 *
 * @param from - the index at which the search begins.
 * @returns its index; -1 if the list does not contain it.
 */
export function findLink(bytes: Buffer, key: number, from: number = 0): number {
  for (let at = from * LINK_BYTES; at + LINK_BYTES <= bytes.length; at += LINK_BYTES)
    if (bytes.readDoubleLE(at) === key) return at / LINK_BYTES;
  return -1;
}

export function countLinks(bytes: Buffer): number {
  return Math.floor(bytes.length / LINK_BYTES);
}

/** Returns the key of the URL of a link. */
export function readKey(bytes: Buffer, index: number): number {
  return bytes.readDoubleLE(index * LINK_BYTES);
}

/** Returns the sum of the types of a link. */
export function readTypes(bytes: Buffer, index: number): number {
  return bytes[index * LINK_BYTES + 8] as number;
}

/**
 * Reads the links with any of some types, without an object for each.
 *
 * @param types - the sum of their {@link LINK_TYPES}.
 * @param visit - receives the key of the URL, the sum of the types of the link, and its index in the list.
 */
export function visitLinks(
  bytes: Buffer,
  types: number,
  visit: (key: number, types: number, index: number) => void,
): void {
  for (let at = 0; at + LINK_BYTES <= bytes.length; at += LINK_BYTES) {
    const sum = bytes[at + 8] as number;
    if ((sum & types) !== 0) visit(bytes.readDoubleLE(at), sum, at / LINK_BYTES);
  }
}
