// Texts that are longer than any line of a robots.txt (16,663 bytes), and than the arguments that one call can take (about 120,000).

/** Characters of each text. */
const LENGTH = 150_000;

/** What the texts repeat: syntax of all formats that are read, and characters with a meaning in one of them. */
const PIECES: readonly string[] = [
  ...['a', '/', '/a', '/../', '%', '%41', '*', 'a*', '$', '?', '=', ':', '.', '-', '@', '#', '\\', '"', "'"],
  ...['é', '😀', '\ud800', '\0', ' ', '\t', '\n', 'a b ', '0', '[', '{"a":', '(', 'a=1,', 'a=1;', '&#65;'],
  ...['<', '<a>', '</a>', '<!--', '<![CDATA[', '<a>; rel=canonical, ', 'noindex,', 'googlebot: noai,'],
  ...['unavailable_after: 25 Jun 2010, ', 'Disallow: /a\n', 'User-agent: a\nDisallow: /\n'],
  ...['Content-Usage: /a train-ai=n\n', 'License: https://a.example/\n', 'xn--a.'],
];

/** The texts, each with what it repeats; and arrays of JSON in one another. */
const LONG_TEXTS: readonly (readonly [piece: string, text: string])[] = [
  ...PIECES.map((piece) => [piece, repeat(piece, LENGTH)] as const),
  ['[]', '['.repeat(LENGTH) + ']'.repeat(LENGTH)],
];

/** Repeats a piece up to a length. The text is flat, as one that was read. */
function repeat(piece: string, length: number): string {
  return Array.from({ length: Math.ceil(length / piece.length) }, () => piece)
    .join('')
    .slice(0, length);
}

/**
 * Finds texts for which a function fails in another way than it documents.
 *
 * @param isDocumented - whether the function documents that it throws the error.
 * @returns the pieces and the errors.
 */
export function findFailures(
  read: (text: string) => unknown,
  isDocumented: (error: unknown) => boolean = () => false,
): string[] {
  return LONG_TEXTS.flatMap(([piece, text]) => {
    try {
      read(text);
      return [];
    } catch (error) {
      return isDocumented(error) ? [] : [`${JSON.stringify(piece)}: ${String(error).slice(0, 200)}`];
    }
  });
}

/** What the engine reports of its own limits, and of defects. */
const ENGINE_ERROR = /call stack|^Invalid |^Cannot |is not (?:a function|iterable|defined)/;

/** Whether an error of the library says that an argument is wrong. */
export function isMisuse(error: unknown): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && !ENGINE_ERROR.test(error.message);
}
