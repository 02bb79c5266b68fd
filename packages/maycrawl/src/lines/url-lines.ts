/** Reads an owner's list of URLs: one a line, without blank lines and comments (`#`). */
export function readUrlLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
