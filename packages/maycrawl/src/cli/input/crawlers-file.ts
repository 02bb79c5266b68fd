// The option `--crawlers`: a file with records of crawlers, in the form of the catalogue.
import { createAgentResolver } from '@maycrawl/core';
import {
  addCrawlers,
  CRAWLER_RECORDS,
  type CrawlerRecord,
  parseCrawlerRecords,
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
export async function readCrawlers(path: string): Promise<readonly CrawlerRecord[]> {
  const content = await readTextFile(path, MAX_BYTES);
  try {
    return addCrawlers(CRAWLER_RECORDS, parseCrawlerRecords(JSON.parse(content)));
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
