/**
 * The command `maycrawl`: its subcommands and options. Each subcommand is loaded only when it is called.
 *
 * @module
 */
import { Command, CommanderError } from 'commander';
import { addAuditCommands } from './commands/audit/program.ts';
import { addWatchCommands } from './commands/watch/program.ts';
import { ALLOW_PRIVATE } from './input/fetch-options.ts';
import { CommandError } from './output/errors.ts';
import { tell } from './output/terminal.ts';

const VERSION = '0.1.0';

/** Errors of the machine and of stores, whose messages are for the user. By name: their modules are loaded only if they are needed. */
const EXPECTED_ERRORS: readonly string[] = ['LocalFailureError', 'StoreError'];

/**
 * Runs the command.
 *
 * @param args - the arguments, without node and script.
 * @returns the exit code: 0 allowed, 1 disallowed, 2 no answer.
 */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = makeProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandError || EXPECTED_ERRORS.includes((error as Error).name))
      tell((error as Error).message);
    else if (process.env['MAYCRAWL_DEBUG']) throw error;
    else tell(`${String(error)} (this is a fault in maycrawl; MAYCRAWL_DEBUG=1 shows where)`);
    return 2;
  }
}

function makeProgram(finish: (exitCode: number) => void): Command {
  const program = new Command('maycrawl')
    .description('May this crawler fetch this URL, and why? Reads robots.txt as Google does.')
    .version(VERSION)
    .exitOverride()
    // What follows the name of a subcommand is its own, also where subcommands of it have options of the same names.
    .enablePositionalOptions()
    .configureOutput({
      // One line; commander's hints come on lines of their own.
      outputError: (text) =>
        tell(
          `${text
            .replace(/^error: /, '')
            .trim()
            .replaceAll('\n', ' ')}; see maycrawl --help`,
        ),
    });
  const profile = ['--profile <name>', 'google, google-2022, google-2013 or rfc9309', 'google'] as const;
  const userAgent = ['--user-agent <text>', 'User-Agent header for fetching', `maycrawl/${VERSION}`] as const;
  /** How sites are asked, for each subcommand that asks some. */
  const withFetching = (command: Command): Command =>
    command
      .option(...userAgent)
      .option('--timeout <seconds>', 'for fetching a robots.txt, redirects included', '30')
      .option(
        '--store <path|url|none>',
        'where answers of sites are kept (default: a file in your cache folder)',
      )
      .option('--fresh', 'ask the site, whatever is known')
      .option('--offline', 'ask nobody: what is known must do')
      .option(...ALLOW_PRIVATE);
  const json = ['--json', 'answer in JSON'] as const;

  withFetching(program.command('check'))
    .description('decide for each URL and crawler; exit 0: all allowed, 1: any disallowed, 2: no answer')
    .argument('[url...]', 'absolute URLs; with --robots FILE also paths')
    .option('--robots <file|url|->', "the robots.txt; without it, that of each URL's own site")
    .option(
      '--urls <file|url|->',
      'a list of URLs, however long, a sitemap or a feed instead of URLs; needs --robots',
    )
    .option('--agent <name>', 'a crawler or product token; repeat for several (default: Googlebot)', collect)
    .option(...profile)
    .option('--no-normalize', 'take URLs as they are, not in the form of a request')
    .option('--json', 'one JSON object a line for each URL and crawler')
    .action(async (urls, { agent = ['Googlebot'], ...options }) => {
      const { check } = await import('./commands/check/check.ts');
      finish(await check(urls, { ...options, agent }));
    });
  withFetching(program.command('diff'))
    .description('what an edit changes, for every URL; exit 0: nothing, 1: something, 2: not decided')
    .argument('<old>', 'a file, a URL, - or git:REVISION:PATH')
    .argument('<new>', 'the same')
    .option('--agent <name>', 'a crawler or product token; repeat for several (default: all)', collect)
    .option(
      '--urls <file|url|->',
      'a list of URLs, a sitemap, an index of sitemaps or a feed: which of them change',
    )
    .option('--max-states <count>', 'when to give up a proof (default: 2000000)')
    .option(...profile)
    .option(...json)
    .action(async (before, after, options) => {
      const { diff } = await import('./commands/diff/diff.ts');
      finish(await diff(before, after, options));
    });
  withFetching(program.command('lint'))
    .description(
      'what is wrong or odd in a robots.txt; exit 0: nothing worse than info, 1: warnings or errors',
    )
    .argument('<file|url|-...>', 'robots.txt files')
    .option('--fix', 'mend in the file what changes no verdict, which is proved')
    .option('--format <name>', 'text, json, sarif or github', 'text')
    .option('--severity <name>', 'the least that is told: info, warning or error', 'info')
    .option(...profile)
    .action(async (names, options) => {
      const { lintCommand } = await import('./commands/lint/lint.ts');
      finish(await lintCommand(names, options));
    });
  withFetching(program.command('verify'))
    .description('whether a robots.txt does what is expected of it; exit 0: all, 1: not all, 2: not decided')
    .argument('<file|url|->', 'the robots.txt')
    .option('--tests <file>', 'the expectations', 'robots.test.yaml')
    .option('--init', 'write expectations of what holds today')
    .option('--format <name>', 'text, json, junit or github', 'text')
    .option(...profile)
    .action(async (name, options) => {
      const { verify } = await import('./commands/verify/verify.ts');
      finish(await verify(name, options));
    });
  withFetching(program.command('minify'))
    .description('a smaller file with the same verdicts for every crawler and URL, proved')
    .argument('<file|url|->', 'the robots.txt')
    .option('-o, --output <file>', 'where it is written (default: standard output)')
    .option('--comments', 'keep the comments of what is kept')
    .option(...profile)
    .action(async (name, options) => {
      const { minifyCommand } = await import('./commands/minify.ts');
      finish(await minifyCommand(name, options));
    });
  program
    .command('batch')
    .description('answer questions in JSON, a line each, from standard input; exit 2 if any line was bad')
    .action(async () => {
      const { batch } = await import('./commands/batch.ts');
      const { standardInput } = await import('./input/standard-input.ts');
      finish(await batch(standardInput(), process.stdout));
    });
  withFetching(program.command('parse'))
    .description('show the groups, rules, sitemaps, other records and diagnostics of a robots.txt')
    .argument('<file|url|->', 'the robots.txt')
    .option(...profile)
    .option(...json)
    .action(async (name, options) => {
      const { parseCommand } = await import('./commands/parse.ts');
      finish(await parseCommand(name, options));
    });
  program
    .command('serve')
    .description('the tester page and the decision service, until it is stopped')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'the port; 0: any that is free', '8080')
    .option(
      '--store <path|url|none>',
      'where answers of sites are kept (default: a file in your cache folder); instances can share a postgres:// URL',
    )
    .option(...userAgent)
    .option('--timeout <seconds>', 'for fetching a robots.txt, redirects included', '30')
    .option('--allow-private', 'also connect to private addresses; leave it off where strangers may ask')
    .option('--token-file <file>', 'who asks needs one of the bearer tokens in it, one a line')
    .option('--rate-limit <count>', 'requests that one client may make in a minute')
    .option(
      '--trust-proxy <address>',
      "a proxy whose word on clients' addresses is taken; repeat for several",
      collect,
    )
    .option(
      '--allowed-host <name>',
      'a name under which clients reach the service, beside localhost and --host; repeat for several',
      collect,
    )
    .option(
      '--watch <path|url>',
      'also serve the pages of the monitor, whose database this is (as --database of watch)',
    )
    .option('--audits <folder>', 'also serve the reports of audits in it, at /audits/')
    .option('--log-level <name>', 'silent, fatal, error, warn, info, debug or trace', 'info')
    .action(async (options) => {
      const { serve } = await import('./commands/serve.ts');
      finish(await serve(options));
    });
  addWatchCommands(program, userAgent, finish, collect);
  addAuditCommands(program, userAgent, finish, collect);
  program
    .command('crawlers')
    .description('list the known crawlers, the tokens they look for, and what they obey')
    .option(...json)
    .action(async (options) => {
      const { crawlers } = await import('./commands/crawlers.ts');
      finish(crawlers(options));
    });
  const store = [
    '--store <path|url>',
    'where answers of sites are kept (default: a file in your cache folder)',
  ] as const;
  const cache = program
    .command('cache')
    .description('what is kept of sites: list, show, history, prune, clear');
  const about = (name: string, description: string) =>
    cache
      .command(name)
      .description(description)
      .option(...store);
  about('list', 'the sites of which something is kept')
    .option(...json)
    .action(async (options) => finish(await (await loadCache()).listCache(options)));
  about('show', 'what is kept of a site')
    .argument('<site>', 'a URL or a host')
    .option(...json)
    .action(async (site, options) => finish(await (await loadCache()).showCache(site, options)));
  about('history', 'what happened to a site, the newest first')
    .argument('<site>', 'a URL or a host')
    .option(...json)
    .action(async (site, options) => finish(await (await loadCache()).showHistory(site, options)));
  about('prune', 'remove what is over the limits, and what was not used for long')
    .option('--max-bytes <size>', 'how much may stay, such as 500MB (default: 512 MiB; in PostgreSQL 4 GiB)')
    .option('--max-origins <count>', 'how many sites may stay (default: 1000000)')
    .option('--max-age <time>', 'how long a site stays that is not used, such as 30d (default: 90d)')
    .action(async (options) => finish(await (await loadCache()).pruneCache(options)));
  about('clear', 'forget a site, or all')
    .argument('[site]', 'a URL or a host')
    .action(async (site, options) => finish(await (await loadCache()).clearCache(site, options)));
  return program;
}

function collect(value: string, previous: string[] = []): string[] {
  previous.push(value);
  return previous;
}

const loadCache = () => import('./commands/cache.ts');
