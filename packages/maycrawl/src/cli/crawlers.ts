/**
 * `maycrawl crawlers`: the crawler catalogue.
 *
 * @module
 */
import { CRAWLERS, type Crawler } from '@maycrawl/core';
import { printTable } from './table.ts';

const OBEYS: Readonly<Record<Crawler['obeys'], string>> = {
  rules: 'its group, else *',
  'own-rules': 'only its group',
  nothing: 'ignores robots.txt',
};

/** Prints the catalogue on standard output. @returns the exit code, 0. */
export async function crawlers(options: { readonly json?: boolean }): Promise<number> {
  if (options.json) {
    process.stdout.write(`${JSON.stringify(CRAWLERS, null, 2)}\n`);
    return 0;
  }
  const rows = CRAWLERS.map(({ name, operator, tokens, obeys, header }) => [
    name,
    operator,
    tokens.join(', ') || '-',
    OBEYS[obeys] + (header === null ? '; sends no requests under this name' : ''),
  ]);
  await printTable(['crawler', 'operator', 'tokens, in order', 'obeys'], rows);
  return 0;
}
