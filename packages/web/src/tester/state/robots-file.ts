/**
 * The robots.txt in the editor: text that came from bytes. As long as nobody has edited it, the bytes are what is judged: text
 * cannot hold what is not UTF-8.
 *
 * @module
 */

/** A robots.txt as it is edited. Lines of the text end with LF, as in the editor. */
export interface RobotsFile {
  readonly text: string;
  /** What the text was made from; `null` if it was typed. */
  readonly original: Original | null;
}

/** A file as it came. */
interface Original {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Whether the text holds all of the bytes, but for how lines end. */
  readonly isUtf8: boolean;
}

/** What is judged: bytes where they are known, else text. */
export type Content = string | Uint8Array;

/** So many bytes can be edited; no crawler reads more than half of it (RFC 9309 section 2.5 asks for 500 KiB). */
export const MAX_EDITED: number = 1024 * 1024;

/** A file that was typed. */
export function fileOfText(text: string): RobotsFile {
  return { text: withLineFeeds(text.slice(0, MAX_EDITED)), original: null };
}

/** A file that came as bytes. What is beyond {@link MAX_EDITED} is left out. */
export function fileOfBytes(bytes: Uint8Array): RobotsFile {
  const kept = bytes.slice(0, MAX_EDITED);
  // A byte order mark stays: that it is there is worth a finding.
  const text = withLineFeeds(new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept));
  return { text, original: { bytes: kept, text, isUtf8: isUtf8(kept) } };
}

/** The file with another text. */
export function editFile({ original }: RobotsFile, text: string): RobotsFile {
  return { text, original };
}

/** What to judge. */
export function contentOf({ text, original }: RobotsFile): Content {
  return original !== null && original.text === text ? original.bytes : text;
}

/** Whether editing has lost bytes, will lose them with the first edit, or neither. */
export function lossOf({ text, original }: RobotsFile): 'none' | 'imminent' | 'lost' {
  if (original === null || original.isUtf8) return 'none';
  return original.text === text ? 'imminent' : 'lost';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
