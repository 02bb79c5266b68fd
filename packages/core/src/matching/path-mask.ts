// Sets of characters as a number, by which most patterns that do not match a path are recognized without a comparison.

/** Returns the set of characters from `start` to the end of `text`: a bit for every 32nd character. It is not 0, because paths contain a slash. */
export function getPathMask(text: string, start: number): number {
  let mask = 0;
  for (let at = start; at < text.length; at++) mask |= 1 << text.charCodeAt(at);
  return mask;
}
