import type { RobotsTxt } from '../../src/model/robots-txt.ts';

/** All paths over few characters, or texts, up to so many of them, as far as they can be in a request. */
export function enumeratePaths(characters: readonly string[], maxLength: number): string[] {
  const all = ['/'];
  for (let from = 0, length = 1; length < maxLength; length++) {
    const to = all.length;
    for (; from < to; from++) for (const char of characters) all.push(`${all[from]}${char}`);
  }
  return all.filter((path) => new URL(`http://h${path}`).href === `http://h${path}`);
}

/** The paths whose verdict differs for one of some crawlers, each tried. */
export function findDifferingPaths(
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly string[],
  paths: readonly string[],
): string[] {
  return crawlers.flatMap((crawler) => {
    const [was, is] = [before.ruleset(crawler), after.ruleset(crawler)];
    return paths.filter((path) => was.decide(path).kind !== is.decide(path).kind);
  });
}
