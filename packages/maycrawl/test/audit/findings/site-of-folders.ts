// A site whose home page links to all others, for findings about parts of it.
import { type Answer, html, type Site } from '../../support/audit-runs.ts';

export const ORIGIN = 'https://shop.example';
export const HEADER = { 'x-robots-tag': 'noindex' };
export const NOINDEX = '<meta name="robots" content="noindex">';

/** Names pages of a folder: `/s/1`, `/s/2`, ... */
export const pagesOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

/** Creates a site whose home page links to all others. */
export function createSite(
  paths: readonly string[],
  createAnswer: (path: string) => Answer = (path) => ({ body: html(path) }),
  robots: Site['robots'] = '',
): Site {
  const answers = Object.fromEntries(paths.map((path) => [`${ORIGIN}${path}`, createAnswer(path)]));
  const home = createAnswer('/');
  return {
    start: `${ORIGIN}/`,
    robots,
    answers: { ...answers, [`${ORIGIN}/`]: { ...home, body: html('Shop', paths, home.body ?? '') } },
  };
}
