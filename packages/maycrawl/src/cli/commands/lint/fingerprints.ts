// Fingerprints of lines, by which code hosts recognise a finding after an edit elsewhere in the file.

/** Characters from the start of a line that its hash covers, white space excluded. */
const WINDOW = 100;
const FACTOR = 37n;
/** Follows the last character. */
const END = 0xffff;

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/**
 * Computes the fingerprint of each line: `hash:count`, where `count` numbers the lines with the same hash. This is GitHub's
 * `primaryLocationLineHash`: a polynomial modulo 2^64 over the next 100 UTF-16 code units without spaces and tabs, with each line end
 * as LF. GitHub's upload action computes it too, and reports a difference.
 *
 * @param bytes - the file.
 * @returns the fingerprints in the order of the lines.
 */
export function getLineFingerprints(bytes: Uint8Array): string[] {
  const { units, starts } = readUnits(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  // `prefixes[i]` is the polynomial over the first i units, so that of a window is a difference.
  const prefixes = new BigUint64Array(units.length + WINDOW + 1);
  for (let at = 0; at < prefixes.length - 1; at++)
    prefixes[at + 1] = BigInt.asUintN(64, (prefixes[at] as bigint) * FACTOR + BigInt(units[at] ?? 0));
  const shift = BigInt.asUintN(64, FACTOR ** BigInt(WINDOW));
  const counts = new Map<string, number>();
  return starts.map((start) => {
    const window = (prefixes[start + WINDOW] as bigint) - (prefixes[start] as bigint) * shift;
    const hash = BigInt.asUintN(64, window).toString(16);
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    return `${hash}:${count}`;
  });
}

/** Returns the code units that are hashed, and where each line starts in them. */
function readUnits(text: string): { units: number[]; starts: number[] } {
  const units: number[] = [];
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === SPACE || unit === TAB) continue;
    if (unit !== LF && unit !== CR) {
      units.push(unit);
      continue;
    }
    if (unit === CR && text.charCodeAt(at + 1) === LF) at++;
    units.push(LF);
    starts.push(units.length);
  }
  units.push(END);
  return { units, starts };
}
