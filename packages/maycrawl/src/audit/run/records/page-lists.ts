// The lists of a page beside its links (link-list.ts), as they are stored: the texts of its links and the resources that it loads. Both
// refer to rows of other tables by their ids, because most pages of a site have the same ones.
import { RESOURCE_KINDS, type ResourceKind } from '@maycrawl/core/indexability';

/** The id of a link without text, such as a redirect. */
export const NO_TEXT = 0;
/** Separates several texts of links from a page to one URL. No text contains it. */
export const TEXT_SEPARATOR = '\n';

/** Writes the ids of texts, in the order of the links: 32 bits each, little-endian. */
export function packTextIds(ids: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ids.length * 4);
  let at = 0;
  for (const id of ids) at = bytes.writeUInt32LE(id, at);
  return bytes;
}

/** Returns the id of the text of a link. @param index - of the link in the list of links. */
export function readTextId(bytes: Buffer, index: number): number {
  return index * 4 + 4 <= bytes.length ? bytes.readUInt32LE(index * 4) : NO_TEXT;
}

/** A resource of a page. */
export interface UsedResource {
  readonly url: string;
  /** The sum of the bits of its kinds. */
  readonly kinds: number;
}

export function getKindBit(kind: ResourceKind): number {
  return 1 << RESOURCE_KINDS.indexOf(kind);
}

/** An id and the kinds. */
const RESOURCE_BYTES = 5;

/** Writes resources: each its id in 32 bits, little-endian, and a byte for its kinds. */
export function packResources(resources: readonly { readonly id: number; readonly kinds: number }[]): Buffer {
  const bytes = Buffer.allocUnsafe(resources.length * RESOURCE_BYTES);
  let at = 0;
  for (const { id, kinds } of resources) {
    bytes.writeUInt32LE(id, at);
    bytes[at + 4] = kinds;
    at += RESOURCE_BYTES;
  }
  return bytes;
}

/** Reads resources without an object for each. @param visit - receives the id and the sum of the bits of the kinds. */
export function visitResources(bytes: Buffer, visit: (id: number, kinds: number) => void): void {
  for (let at = 0; at + RESOURCE_BYTES <= bytes.length; at += RESOURCE_BYTES)
    visit(bytes.readUInt32LE(at), bytes[at + 4] as number);
}

/** Whether a value can be the list of the texts of a number of links, or of resources. */
export function isPageList(value: unknown, kind: 'texts' | 'resources', links: number): boolean {
  if (!(value instanceof Uint8Array)) return false;
  return kind === 'texts' ? value.length === 4 * links : value.length % RESOURCE_BYTES === 0;
}
