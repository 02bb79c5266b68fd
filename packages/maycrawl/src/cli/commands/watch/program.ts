/**
 * The subcommands of `maycrawl watch`. Each is loaded only when it is called.
 *
 * @module
 */
import type { Command } from 'commander';
import { ALLOW_PRIVATE } from '../../input/fetch-options.ts';

/** Adds them. @param finish - takes the exit code. @param collect - gathers an option that is repeated. */
export function addWatchCommands(
  program: Command,
  userAgent: readonly [string, string, string],
  finish: (exitCode: number) => void,
  collect: (value: string, previous?: string[]) => string[],
): void {
  const watch = program
    .command('watch')
    .description("keep every version of sites' robots.txt, and say what changes mean");
  const command = (name: string, description: string): Command =>
    watch
      .command(name)
      .description(description)
      .option(
        '--database <path|url>',
        'where it is kept: a SQLite file (default: in your data folder), or a postgres:// URL',
      );
  const json = ['--json', 'answer in JSON'] as const;
  const sites = () => import('./sites.ts');
  const log = () => import('./log.ts');

  command('add', 'watch sites, or watch them in another way')
    .argument('[site...]', 'URLs or hosts')
    .option('--from <file>', 'a file with sites, one a line')
    .option('--every <time>', 'how often, such as 15m, 1h, 1d', '1h')
    .option('--agent <name>', 'a crawler whose verdicts matter; repeat for several (default: all)', collect)
    .option('--urls <file>', 'URLs whose verdicts matter, one a line')
    .option('--tests <file>', 'expectations, as for verify')
    .option('--notify <target>', 'who is told; repeat for several (docs/watch.md)', collect)
    .option('--severity <aspect=severity>', 'how bad something is for you; repeat for several', collect)
    .action(async (names, options) => finish(await (await sites()).addSites(names, options)));
  command('remove', 'watch sites no longer, and forget them')
    .argument('<site...>', 'URLs or hosts')
    .action(async (names, options) => finish(await (await sites()).removeSites(names, options)));
  command('check', 'check sites at the next opportunity, those that are set aside too')
    .argument('<site...>', 'URLs or hosts')
    .action(async (names, options) => finish(await (await sites()).recheckSites(names, options)));
  command('list', 'the sites that are watched')
    .option(...json)
    .action(async (options) => finish(await (await sites()).listSites(options)));
  command('export', 'all sites with their settings, as YAML').action(async (options) =>
    finish(await (await sites()).exportSites(options)),
  );
  command('import', 'watch the sites of a YAML file')
    .argument('<file>', 'as export writes it')
    .action(async (path, options) => finish(await (await sites()).importSites(path, options)));
  command('run', 'check what is due and tell what is to be told, until it is stopped')
    .option('--once', 'stop when nothing is due any more')
    .option(...userAgent)
    .option('--timeout <seconds>', 'for fetching a robots.txt, redirects included', '30')
    .option(...ALLOW_PRIVATE)
    .option('--keep <time>', 'delete what is older, as prune does, from time to time (default: keep all)')
    .option(...json)
    .action(async (options) => finish(await (await import('./run.ts')).runWatch(options)));
  command('prune', 'delete what is old, and files that nothing refers to any more')
    .option('--older-than <time>', 'versions, events and messages that ended so long ago, such as 400d')
    .option('--dry-run', 'only count what would be deleted')
    .option(...json)
    .action(async (options) => finish(await (await import('./prune.ts')).pruneWatch(options)));
  command('test', 'send a message to a target, to see whether it arrives')
    .argument('<target>', 'as for --notify')
    .action(async (target) => finish(await (await import('./run.ts')).testTarget(target)));
  command('status', 'how many sites there are, what is due, and what happened last')
    .option(...json)
    .action(async (options) => finish(await (await log()).showStatus(options)));
  command('log', 'what happened to a site, the newest first')
    .argument('<site>', 'a URL or a host')
    .option('--limit <count>', 'how many events', '50')
    .option(...json)
    .action(async (site, options) => finish(await (await log()).showLog(site, options)));
  command('show', 'a version of a file')
    .argument('<site@version>', 'such as example.com@3')
    .option(...json)
    .action(async (name, options) => finish(await (await log()).showVersion(name, options)));
  command('diff', 'what changed from one version to another; exit 0: nothing, 1: something, 2: not decided')
    .argument('<site@versions>', 'such as example.com@2..3')
    .option(...json)
    .action(async (name, options) => finish(await (await log()).diffVersions(name, options)));
}
