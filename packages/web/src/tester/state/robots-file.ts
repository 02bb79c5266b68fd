// The robots.txt in the editor: text, and the bytes that it was decoded from. The bytes are evaluated until the first edit, because text
// cannot represent bytes that are not UTF-8.
import { truncate } from '@maycrawl/core/internal';

/** A robots.txt in the editor. Lines of the text end with LF. */
export interface RobotsFile {
  readonly text: string;
  /** The source of the text; `null` if it was typed. */
  readonly original: Original | null;
}

interface Original {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Whether the text represents all bytes, apart from line ends. */
  readonly isUtf8: boolean;
}

/** Bytes if they are known, else text. */
export type Content = string | Uint8Array;

/** Bytes that can be edited. Crawlers read about half of it (RFC 9309 section 2.5 requires 500 KiB). */
export const MAX_EDITED: number = 1024 * 1024;

/** Bytes that crawlers read, and the service sends. */
const MAX_READ = 512_000;

export function createTextFile(text: string): RobotsFile {
  return { text: withLineFeeds(truncate(text, MAX_EDITED, '')), original: null };
}

/** Creates a file from bytes, truncated to {@link MAX_EDITED}. */
export function decodeFile(bytes: Uint8Array): RobotsFile {
  const kept = bytes.slice(0, MAX_EDITED);
  // The byte order mark stays, since it is a finding.
  const text = withLineFeeds(decode(kept, false));
  return { text, original: { bytes: kept, text, isUtf8: isUtf8(kept) } };
}

export function editFile({ original }: RobotsFile, text: string): RobotsFile {
  return { text, original };
}

export function getContent({ text, original }: RobotsFile): Content {
  return original !== null && original.text === text ? original.bytes : text;
}

/** Whether edits have lost bytes that are not UTF-8, or the first edit will. */
export function getLoss({ text, original }: RobotsFile): 'none' | 'imminent' | 'lost' {
  if (original === null || original.isUtf8) return 'none';
  return original.text === text ? 'imminent' : 'lost';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decode(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/** Decodes UTF-8. A file that a size limit cuts may end within a character, which is omitted. */
function decode(bytes: Uint8Array, fatal: boolean): string {
  const isCut = bytes.length >= MAX_READ;
  return new TextDecoder('utf-8', { ignoreBOM: true, fatal }).decode(bytes, { stream: isCut });
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
