// The only truncation of texts.

/**
 * At the code unit before a position: the code point after it is a part of the character before it, as readers see it (a mark, a
 * variation selector, a skin tone), or a joiner is between them.
 */
const EXTENDED = /^(?:\u200d|.[\p{M}\p{Emoji_Modifier}\u200c\u200d])/su;

/** Longer sequences are split: hostile texts consist of them. In code units. */
const MAX_SEQUENCE = 32;

/**
 * Truncates a text between two characters: it splits neither a surrogate pair nor, up to a length of 32 code units, a
 * sequence with combining marks or joiners.
 *
 * @param maxLength - the length of the result in UTF-16 code units, with the ending.
 * @param ending - marks that the text is truncated. @defaultValue `…`
 * @returns the text itself if it is not longer than `maxLength`.
 *
 * @example
 * truncate('a long text', 6); // 'a lon…'
 */
export function truncate(text: string, maxLength: number, ending = '…'): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, findStart(text, Math.max(maxLength - ending.length, 0))) + ending;
}

/**
 * Omits characters in the middle of a text whose end matters, too.
 *
 * @param maxLength - the length of the result in UTF-16 code units; it can be longer by a part of one character.
 * @returns the text itself if it is not longer than `maxLength`.
 */
export function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  return `${truncate(text, half)} ${text.slice(findStart(text, text.length - half + 1))}`;
}

function findStart(text: string, position: number): number {
  let start = position;
  while (start > 0 && position - start < MAX_SEQUENCE && isInCharacter(text, start)) start--;
  return isInPair(text, start) ? start - 1 : start;
}

function isInCharacter(text: string, position: number): boolean {
  return isInPair(text, position) || EXTENDED.test(text.slice(position - 1, position + 2));
}

function isInPair(text: string, position: number): boolean {
  return (text.codePointAt(position - 1) ?? 0) > 0xffff;
}
