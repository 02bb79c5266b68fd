// Markers that version control systems leave in a file with an unresolved merge (git-merge, "How conflicts are presented").
import { SPACE } from '../../bytes/ascii.ts';
import type { Scanner } from '../../syntax/scanner.ts';

/** Length of a marker. */
const LENGTH = 7;
const [BAR, LESS, EQUALS, GREATER] = [0x7c, 0x3c, 0x3d, 0x3e];

/** Recognizes the markers of a file, line by line. */
export class ConflictMarkers {
  #isOpen = false;

  /** Whether the current line of a scanner is a marker. Lines of "=" and "|" are markers only after one of "<". */
  isMarker({ bytes, lineStart, lineEnd }: Scanner): boolean {
    const char = bytes[lineStart];
    if (char !== LESS && char !== GREATER && !(this.#isOpen && (char === EQUALS || char === BAR)))
      return false;
    const end = lineStart + LENGTH;
    for (let at = lineStart; at < end; at++) if (bytes[at] !== char) return false;
    if (end > lineEnd || (end < lineEnd && bytes[end] !== SPACE)) return false;
    this.#isOpen = char !== GREATER;
    return true;
  }
}
