// The URLs of a list, or of sitemaps, whose verdicts differ between two files.

import { type RobotsTxt, RulesetCache } from '@maycrawl/core';
import type { NamedCrawler } from '../../../batch/judge.ts';
import { visible } from '../../../text/printable.ts';
import { type FetchingOptions, readUrls } from '../../input/sitemaps.ts';
import { CommandError } from '../../output/errors.ts';

/** A URL whose verdict changes for a crawler. */
interface UrlChange {
  readonly url: string;
  readonly agent: string;
  readonly direction: 'blocked' | 'allowed';
}

/** The changes, in the order of the crawlers and then of the list. */
export interface UrlChanges {
  readonly count: number;
  /** The first {@link MAX_LISTED} of them. */
  readonly listed: readonly UrlChange[];
}

/** Maximum number of listed changes: all could be the product of crawlers and URLs. */
const MAX_LISTED = 100_000;

/**
 * Compares the verdicts of two files about the URLs of a list.
 *
 * @param list - a path, `-` or a URL, as in {@link readUrls}.
 * @throws {CommandError} if the list cannot be read, or an entry is neither an absolute URL nor a path.
 */
export async function compareUrls(
  list: string,
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly NamedCrawler[],
  fetching: FetchingOptions,
): Promise<UrlChanges> {
  const [oldRulesets, newRulesets] = [new RulesetCache(before), new RulesetCache(after)];
  const compared = crawlers.map(({ name, crawler }) => ({
    agent: name,
    old: oldRulesets.get(crawler),
    new: newRulesets.get(crawler),
    changes: [] as UrlChange[],
  }));
  let count = 0;
  for await (const urls of readUrls(list, fetching)) {
    for (const { agent, changes, ...rulesets } of compared) {
      for (const url of urls) {
        const [was, is] = [rulesets.old.decide(url), rulesets.new.decide(url)];
        if (was.kind === 'out-of-scope' || is.kind === 'out-of-scope')
          throw new CommandError(`${visible(list)}: "${visible(url)}" is neither an absolute URL nor a path`);
        if (was.allowed === is.allowed) continue;
        count++;
        if (changes.length < MAX_LISTED)
          changes.push({ url, agent, direction: was.allowed ? 'blocked' : 'allowed' });
      }
    }
  }
  return { count, listed: compared.flatMap(({ changes }) => changes).slice(0, MAX_LISTED) };
}
