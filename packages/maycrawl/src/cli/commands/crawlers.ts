// `maycrawl crawlers`: the catalogue of crawlers.
import {
  CRAWLER_KINDS,
  CRAWLER_PURPOSES,
  CRAWLER_RECORDS,
  type CrawlerRecord,
  type RobotsTxtBehavior,
  selectCrawlers,
  toDocumentedCrawler,
} from '@maycrawl/core/crawlers';
import { visible } from '../../text/printable.ts';
import { readCrawlers } from '../input/crawlers-file.ts';
import { CommandError } from '../output/errors.ts';
import { printJson } from '../output/standard-output.ts';
import { printTable } from '../output/table.ts';

export interface CrawlersOptions {
  readonly purpose?: readonly string[];
  readonly kind?: readonly string[];
  readonly operator?: string;
  readonly crawlers?: string;
  readonly json?: boolean;
}

/** Prints the selected crawlers on standard output. @returns the exit code, 0. @throws {CommandError} if an option is invalid. */
export async function crawlers({ crawlers: file, ...options }: CrawlersOptions): Promise<number> {
  const filter = {
    ...(options.purpose && { purposes: requireNames('--purpose', options.purpose, CRAWLER_PURPOSES) }),
    ...(options.kind && { kinds: requireNames('--kind', options.kind, CRAWLER_KINDS) }),
    ...(options.operator !== undefined && { operator: options.operator }),
  };
  const all = file === undefined ? CRAWLER_RECORDS : await readCrawlers(file);
  if (filter.operator !== undefined && selectCrawlers(all, { operator: filter.operator }).length === 0)
    throw new CommandError(`--operator: the catalogue has no crawlers of ${visible(filter.operator)}`);
  const selected = selectCrawlers(all, filter);
  if (options.json) printJson(selected.map(toDocumentedCrawler), 2);
  else printTable(['crawler', 'operator', 'kind', 'purposes', 'robots.txt'], selected.map(formatRow));
  return 0;
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

const BEHAVIORS: Readonly<Record<RobotsTxtBehavior, string>> = {
  obeys: 'its group, else *',
  'own-group-only': 'only its group',
  'may-ignore': 'may ignore it',
  ignores: 'ignores it',
  undocumented: 'not documented',
};

function formatRow(record: CrawlerRecord): string[] {
  const { token, operator, kind, purposes, robotsTxt, fallbacks = [], retired, announced } = record;
  const behavior =
    robotsTxt === 'obeys' && fallbacks.length > 0
      ? `its group, else ${fallbacks.join(', ')}, else *`
      : BEHAVIORS[robotsTxt];
  return [
    token,
    visible(operator),
    [kind, ...(retired ? ['retired'] : []), ...(announced ? ['announced'] : [])].join(', '),
    purposes.join(', ') || '-',
    behavior,
  ];
}
