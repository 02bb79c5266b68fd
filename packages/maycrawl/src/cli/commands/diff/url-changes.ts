/**
 * Which URLs of a list, or of sitemaps, have another verdict by one file than by another.
 *
 * @module
 */
import type { RobotsTxt } from '@maycrawl/core';
import type { NamedCrawler } from '../../input/options.ts';
import { type Asking, readUrls } from '../../input/sitemaps.ts';
import { CommandError } from '../../output/errors.ts';
import { visible } from '../../output/terminal.ts';

/** A URL whose verdict changes for a crawler. */
export interface UrlChange {
  readonly url: string;
  readonly agent: string;
  readonly direction: 'blocked' | 'allowed';
}

/**
 * Decides about all URLs of a list by two files.
 *
 * @param list - a path, `-` or a URL, as {@link readUrls} takes it.
 * @returns the changes for each crawler, in the order of the list.
 * @throws {CommandError} if it cannot be read.
 */
export async function compareUrls(
  list: string,
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly NamedCrawler[],
  asking: Asking,
): Promise<UrlChange[]> {
  const asked = crawlers.map(({ name, crawler }) => ({
    ...{ agent: name, was: before.ruleset(crawler), is: after.ruleset(crawler) },
    changes: [] as UrlChange[],
  }));
  for await (const urls of readUrls(list, asking)) {
    for (const { agent, was, is, changes } of asked) {
      for (const url of urls) {
        const [old, now] = [was.decide(url), is.decide(url)];
        if (old.kind === 'out-of-scope' || now.kind === 'out-of-scope')
          throw new CommandError(`${visible(list)}: "${visible(url)}" is neither an absolute URL nor a path`);
        if (old.allowed !== now.allowed)
          changes.push({ url, agent, direction: old.allowed ? 'blocked' : 'allowed' });
      }
    }
  }
  return asked.flatMap(({ changes }) => changes);
}
