/** Files whose readings take long unless their work is linear, or has a budget. */

/** A file of about a number of bytes, from lines by their number. */
function repeat(bytes: number, createLine: (index: number) => string): string {
  const lines: string[] = [];
  for (let length = 0, index = 0; length < bytes; index++) {
    const line = createLine(index);
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

const NAMES = ['gptbot', 'gPtbot', 'gpTbot', 'gptBot', 'gptbOt', 'g', 'p', 't', 'b'];

/** Files of about a number of bytes, by what they are full of. */
export const HOSTILE_FILES: Readonly<Record<string, (bytes: number) => string>> = {
  'user-agent lines of one group': (bytes) =>
    `${repeat(bytes, (index) => `User-agent: x${index}`)}\nDisallow: /a\nDisallow: /*b`,
  'groups with the same agents': (bytes) =>
    repeat(bytes, (index) => `User-agent: *\nUser-agent: x${index % 9}\nDisallow: /${index % 7}`),
  'groups of parts of the name': (bytes) =>
    repeat(
      bytes,
      (index) =>
        `${NAMES.map((_, at) => `User-agent: ${NAMES[(index * at) % 9]}`).join('\n')}\nUser-agent: z${index}\nAllow: /a`,
    ),
  'short rules': (bytes) => `User-agent: *\n${repeat(bytes, (index) => `Allow: /${index % 100}`)}`,
  wildcards: (bytes) => `User-agent: *\n${repeat(bytes, (index) => `Allow: /${'*a'.repeat(index % 90)}*b`)}`,
  'long parts': (bytes) =>
    `User-agent: *\n${repeat(bytes, (index) => (index < 4 ? `Disallow: /${'a'.repeat(490)}${index}` : `Allow: /*${'a'.repeat(200)}b${'a'.repeat(200)}`))}`,
  'long paths and short rules': (bytes) =>
    `User-agent: *\n${repeat(bytes, (index) => (index < 8 ? `Disallow: /*${'a'.repeat(490)}${index}` : `Allow: /*b${index}`))}`,
  'one long host': (bytes) => `User-agent: *\nDisallow: //${'\u0301\u0327'.repeat(bytes / 4)}`,
};
