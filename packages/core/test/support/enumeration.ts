import type { RobotsTxt } from '../../src/model/robots-txt.ts';

/**
 * Enumerates the paths in request form.
 *
 * @param characters - characters or strings from which paths are built.
 * @param maxLength - maximum number of these, including the leading slash.
 */
export function enumeratePaths(characters: readonly string[], maxLength: number): string[] {
  const all = ['/'];
  for (let from = 0, length = 1; length < maxLength; length++) {
    const to = all.length;
    for (; from < to; from++) for (const char of characters) all.push(`${all[from]}${char}`);
  }
  return all.filter((path) => new URL(`http://h${path}`).href === `http://h${path}`);
}

/** Returns the paths whose verdicts differ between two files, for each crawler. */
export function findDifferingPaths(
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly string[],
  paths: readonly string[],
): string[] {
  return crawlers.flatMap((crawler) => {
    const [first, second] = [before.ruleset(crawler), after.ruleset(crawler)];
    return paths.filter((path) => first.decide(path).kind !== second.decide(path).kind);
  });
}
