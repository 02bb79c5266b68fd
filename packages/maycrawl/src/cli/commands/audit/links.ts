/**
 * `maycrawl audit links`: all links to a URL, or from it.
 *
 * @module
 */
import { resolveUrl } from '@maycrawl/core/indexability';
import { findLinksFrom, findLinksTo, type UrlLink } from '../../../audit/links/page-links.ts';
import { getSettings } from '../../../audit/run/settings.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { withRun } from './open-run.ts';

export interface AuditLinksOptions {
  readonly to?: string;
  readonly from?: string;
  readonly json?: boolean;
}

/**
 * Prints links, one a line, and their number; in JSON one object a line.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the run cannot be read, or does not contain the URL.
 */
export async function auditLinks(
  path: string,
  { to, from, json = false }: AuditLinksOptions,
): Promise<number> {
  const wanted = to ?? from;
  if (wanted === undefined || (to !== undefined && from !== undefined))
    throw new CommandError('give either --to or --from with a URL of the run');
  return withRun(path, async (run) => {
    const { agents } = await getSettings(run);
    const url = resolveUrl(wanted, wanted);
    const key = url === null ? undefined : await run.findKey(url);
    if (key === undefined) throw new CommandError(`the run does not contain ${visible(wanted)}`);
    const find = to === undefined ? findLinksFrom : findLinksTo;
    let count = 0;
    for await (const link of find(run, key, agents.length)) {
      count++;
      await writeOut(json ? `${toJson(toReport(link, agents))}\n` : describe(link, agents, to === undefined));
    }
    if (!json)
      await writeOut(
        to === undefined
          ? `${formatCount(count, 'URL')} named by ${visible(wanted)}\n`
          : `${formatCount(count, 'page')} with links to ${visible(wanted)}\n`,
      );
    return 0;
  });
}

function toReport({ from, to, types, isFollowed }: UrlLink, agents: readonly string[]): object {
  return { from, to, types, followed: agents.filter((_, agent) => isFollowed[agent]) };
}

function describe(
  { from, to, types, isFollowed }: UrlLink,
  agents: readonly string[],
  isFrom: boolean,
): string {
  const followed = agents.filter((_, agent) => isFollowed[agent]);
  const who = followed.length === 0 ? 'no crawler follows it' : `followed by ${followed.join(', ')}`;
  return `${visible(isFrom ? to : from)}  ${types.join(', ')}: ${visible(who)}\n`;
}
