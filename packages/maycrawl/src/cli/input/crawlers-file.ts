// The option `--crawlers`: a file with records of crawlers, in the form of the catalogue.
import { createAgentResolver } from '@maycrawl/core';
import {
  addCrawlers,
  CRAWLER_RECORDS,
  type CrawlerRecord,
  OPERATOR_RECORDS,
  type OperatorCatalogue,
  parseCrawlerRecords,
  parseOperatorRecords,
  selectCrawlers,
  toDocumentedCrawler,
  toPolicyToken,
} from '@maycrawl/core/crawlers';
import type { PolicyToken } from '@maycrawl/core/preferences';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';
import { readTextFile } from './file.ts';
import type { AgentResolver } from './options.ts';

/** Maximum size of a file with crawlers in bytes. */
const MAX_BYTES = 1_000_000;

/** Reads the records of a file. @returns the catalogue with them. @throws {CommandError} if the file has another form. */
async function readCrawlers(path: string): Promise<readonly CrawlerRecord[]> {
  return (await readCatalogue(path)).crawlers;
}

/**
 * Reads the records of crawlers and operators of a file.
 *
 * @returns the catalogue with them. Of records about the same operator, those of the file come first.
 * @throws {CommandError} if the file has another form.
 */
export async function readCatalogue(path: string): Promise<OperatorCatalogue> {
  const content = await readTextFile(path, MAX_BYTES);
  try {
    const value: unknown = JSON.parse(content);
    return {
      crawlers: addCrawlers(CRAWLER_RECORDS, parseCrawlerRecords(value)),
      operators: [...parseOperatorRecords(value), ...OPERATOR_RECORDS],
    };
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${visible((cause as Error).message)}`, { cause });
  }
}

/** Creates a resolver of agents that recognises the crawlers of a file, too. @throws {CommandError} if the file has another form. */
export async function readAgentResolver(path: string): Promise<AgentResolver> {
  return createAgentResolver((await readCrawlers(path)).map(toDocumentedCrawler));
}

/** Reads the policy tokens of the catalogue and a file. @throws {CommandError} if the file has another form. */
export async function readPolicyTokens(path: string): Promise<readonly PolicyToken[]> {
  return selectCrawlers(await readCrawlers(path), { kinds: ['policy-token'] }).map(toPolicyToken);
}
