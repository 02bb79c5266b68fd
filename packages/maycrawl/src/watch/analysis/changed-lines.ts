// The lines in which two files differ, as evidence of a change without another effect.
import { truncate } from '@maycrawl/core/internal';
import { formatCount } from '../../text/counts.ts';

/** Lines that are quoted, and characters of each. */
const [MAX_LINES, MAX_QUOTED] = [5, 80];

/**
 * Describes the lines between the common beginning and the common end of two files: `line 1: "# 10:00" is "# 11:00" now`. Equal files have
 * none.
 */
export function describeChangedLines(before: Uint8Array, after: Uint8Array): string[] {
  if (Buffer.from(before).equals(after)) return [];
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length === 0 && added.length === 0) return ['only line ends or the byte order mark differ'];
  if (removed.length === added.length)
    return limit(
      removed.flatMap((text, index) => {
        const other = added[index] ?? '';
        return text === other ? [] : [`line ${start + index + 1}: ${quote(text)} is ${quote(other)} now`];
      }),
    );
  return [
    ...limit(removed.map((text, index) => `removed, line ${start + index + 1}: ${quote(text)}`)),
    ...limit(added.map((text, index) => `added, line ${start + index + 1}: ${quote(text)}`)),
  ];
}

function limit(lines: readonly string[]): string[] {
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${formatCount(more, 'more line')}`] : [...lines];
}

function splitLines(bytes: Uint8Array): string[] {
  return Buffer.from(bytes)
    .toString()
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/);
}

function quote(text: string): string {
  return `"${truncate(text, MAX_QUOTED)}"`;
}
