// `maycrawl crawlers`: the catalogue of crawlers.
import {
  CRAWLER_KINDS,
  CRAWLER_PURPOSES,
  CRAWLER_RECORDS,
  type CrawlerRecord,
  createOperatorFinder,
  OPERATOR_RECORDS,
  type OperatorFinder,
  selectCrawlers,
  toDocumentedCrawler,
} from '@maycrawl/core/crawlers';
import { describeBehavior, describeOperator } from '../../text/operators.ts';
import { visible } from '../../text/printable.ts';
import { readCatalogue } from '../input/crawlers-file.ts';
import { CommandError } from '../output/errors.ts';
import { printJson } from '../output/standard-output.ts';
import { printTable } from '../output/table.ts';
import type { CrawlersOptions } from './options.ts';

/**
 * Prints crawlers on standard output: those that are named with all that is documented, or the selected ones as a table.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} if an option is invalid, or the catalogue has no crawler of a name.
 */
export async function crawlers(
  names: readonly string[],
  { crawlers: file, ...options }: CrawlersOptions,
): Promise<number> {
  const filter = {
    ...(options.purpose && { purposes: requireNames('--purpose', options.purpose, CRAWLER_PURPOSES) }),
    ...(options.kind && { kinds: requireNames('--kind', options.kind, CRAWLER_KINDS) }),
    ...(options.operator !== undefined && { operator: options.operator }),
  };
  const catalogue =
    file === undefined
      ? { crawlers: CRAWLER_RECORDS, operators: OPERATOR_RECORDS }
      : await readCatalogue(file);
  const { operator } = filter;
  if (operator !== undefined && selectCrawlers(catalogue.crawlers, { operator }).length === 0)
    throw new CommandError(`--operator: the catalogue has no crawlers of ${visible(operator)}`);
  const named = names.length === 0 ? catalogue.crawlers : findCrawlers(catalogue.crawlers, names);
  const selected = selectCrawlers(named, filter);
  const findOperator = createOperatorFinder(catalogue);
  if (options.json)
    printJson(
      selected.map((record) => toJson(record, findOperator)),
      2,
    );
  else if (names.length === 0)
    printTable(['crawler', 'operator', 'kind', 'purposes', 'robots.txt'], selected.map(formatRow));
  else process.stdout.write(selected.map((record) => formatDetails(record, findOperator)).join('\n'));
  return 0;
}

function findCrawlers(records: readonly CrawlerRecord[], names: readonly string[]): CrawlerRecord[] {
  return names.map((name) => {
    const isNamed = (each: string | undefined): boolean => each?.toLowerCase() === name.toLowerCase();
    const found = records.find(({ token, name: own }) => isNamed(token) || isNamed(own));
    if (found !== undefined) return found;
    throw new CommandError(
      `the catalogue has no crawler ${visible(name)}: "maycrawl crawlers" lists the names`,
    );
  });
}

function toJson(record: CrawlerRecord, findOperator: OperatorFinder): object {
  const found = findOperator(record.token);
  if (found === undefined) return { ...toDocumentedCrawler(record), documented: null };
  const { operator, ...documented } = found;
  return { ...toDocumentedCrawler(record), documented };
}

/** Formats a crawler in several lines. */
function formatDetails(record: CrawlerRecord, findOperator: OperatorFinder): string {
  const [token, operator, kind, purposes, behavior] = formatRow(record);
  const found = findOperator(record.token);
  const facts = [
    ['kind', kind],
    ['purposes', purposes],
    ['robots.txt', behavior],
    ...(found === undefined ? [] : describeOperator(found)).map((line) => ['', visible(line)]),
    ...(found?.sources ?? record.sources).map(({ url, kind: source, date }, index) => [
      index === 0 ? 'sources' : '',
      `${visible(url)} (${source}, ${date})`,
    ]),
  ];
  const lines = facts.map(([name = '', value]) => `  ${name.padEnd(12)}${value}\n`);
  return `${token} (${operator}): ${visible(record.description)}\n${lines.join('')}`;
}

function requireNames<T extends string>(
  option: string,
  names: readonly string[],
  choices: readonly T[],
): readonly T[] {
  return names.map((name) => {
    const choice = choices.find((each) => each === name);
    if (choice !== undefined) return choice;
    throw new CommandError(`${option} must be one of ${choices.join(', ')}, not ${visible(name)}`);
  });
}

function formatRow(record: CrawlerRecord): string[] {
  const { token, operator, kind, purposes, retired, announced } = record;
  return [
    token,
    visible(operator),
    [kind, ...(retired ? ['retired'] : []), ...(announced ? ['announced'] : [])].join(', '),
    purposes.join(', ') || '-',
    describeBehavior(record),
  ];
}
