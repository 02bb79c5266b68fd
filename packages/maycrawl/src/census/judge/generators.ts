// The software and services that wrote a robots.txt, recognized by its text. The search is for fixed texts, so its time is bounded.
import { GENERATOR_MARKS, type GeneratorMark } from './generator-data.ts';

/** Most files have no comments, and need no search for them. */
const isInComment = ({ texts }: GeneratorMark): boolean => texts[0].includes('#');
const RULE_MARKS: readonly GeneratorMark[] = GENERATOR_MARKS.filter((mark) => !isInComment(mark));

/**
 * Finds the programs that wrote a file, or parts of it.
 *
 * @param text - the bytes of the file as Latin-1.
 * @returns the names in the order of the table. Empty if no text of the table is in the file.
 */
export function findGenerators(text: string): string[] {
  const names = new Set<string>();
  for (const { name, texts } of text.includes('#') ? GENERATOR_MARKS : RULE_MARKS)
    if (texts.every((each) => text.includes(each))) names.add(name);
  return [...names];
}
