/**
 * `maycrawl crawlers`: the crawler catalogue.
 *
 * @module
 */

import { CRAWLERS, type Crawler } from '@maycrawl/core';
import { printJson } from '../output/standard-output.ts';
import { printTable } from '../output/table.ts';

const OBEYS: Readonly<Record<Crawler['obeys'], string>> = {
  rules: 'its group, else *',
  'own-rules': 'only its group',
  nothing: 'ignores robots.txt',
};

/** Prints the catalogue on standard output. @returns the exit code, 0. */
export function crawlers(options: { readonly json?: boolean }): number {
  if (options.json) {
    printJson(CRAWLERS, 2);
    return 0;
  }
  const rows = CRAWLERS.map(({ name, operator, tokens, obeys, header }) => [
    name,
    operator,
    tokens.join(', ') || '-',
    OBEYS[obeys] + (header === null ? '; sends no requests under this name' : ''),
  ]);
  printTable(['crawler', 'operator', 'tokens, in order', 'obeys'], rows);
  return 0;
}
