// The lines of two files that declare something, compared as text.

import type { Declaration } from '../declaration.ts';
import { limitText } from '../statement.ts';

/** A line that declares something. */
export interface DeclarationLine {
  /** From 1. */
  readonly line: number;
  /** Without its comment. Texts are cut after 300 characters. */
  readonly text: string;
}

/** The lines that only one of two files has, at most 100 of each. */
export interface Wording {
  readonly removed: readonly DeclarationLine[];
  readonly added: readonly DeclarationLine[];
}

const MAX_LINES = 100;

/** Compares lines by their text. The names of fields are compared case-insensitively. */
export function compareWording(before: readonly Declaration[], after: readonly Declaration[]): Wording {
  return { removed: findMissing(before, after), added: findMissing(after, before) };
}

function findMissing(lines: readonly Declaration[], others: readonly Declaration[]): DeclarationLine[] {
  const known = new Set(others.map(getLineKey));
  return lines
    .filter((line) => !known.has(getLineKey(line)))
    .slice(0, MAX_LINES)
    .map(({ place }) => ({ line: place.line ?? 0, text: limitText(`${place.name}: ${place.text}`) }));
}

/** Returns a text that is equal for lines with the same field and value. */
export function getLineKey({ place }: Declaration): string {
  return `${place.name?.toLowerCase()}: ${place.text}`;
}
