/**
 * The software and services that wrote a robots.txt, recognized by its text. The search is for fixed texts, so its time is bounded.
 *
 * @module
 */
import { GENERATOR_MARKS } from './generator-data.ts';

/**
 * Finds the programs that wrote a file, or parts of it.
 *
 * @param text - the bytes of the file as Latin-1.
 * @returns the names in alphabetical order. Empty if no text of the table is in the file.
 */
export function findGenerators(text: string): string[] {
  const names = new Set<string>();
  for (const { name, texts } of GENERATOR_MARKS)
    if (texts.every((each) => text.includes(each))) names.add(name);
  return [...names];
}
