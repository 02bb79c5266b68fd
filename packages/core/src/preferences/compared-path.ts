// The path of a URL, compared with the paths of declarations.
import { toComparedPaths, toComparedPattern } from '../bytes/percent-encoding.ts';
import type { Profile } from '../crawler/profile.ts';
import { matchesPattern } from '../matching/pattern.ts';

/** The path of a URL, as patterns are compared with it. */
export interface ComparedPath {
  readonly forms: readonly string[];
  readonly isDecoded: boolean;
}

/** Converts a path in request form to the form in which a profile compares it. */
export function toComparedPath(path: string, { comparison }: Profile): ComparedPath {
  const isDecoded = comparison === 'decoded';
  return { forms: isDecoded ? toComparedPaths(path) : [path], isDecoded };
}

/** Whether the path pattern of a declaration matches. `null` matches every path. */
export function matchesDeclaration(
  pattern: string | null,
  { forms, isDecoded }: ComparedPath,
  isPrefix: boolean,
): boolean {
  if (pattern === null) return true;
  const compared = isDecoded ? toComparedPattern(pattern) : pattern;
  return forms.some((path) => (isPrefix ? path.startsWith(compared) : matchesPattern(path, compared)));
}
