/**
 * `maycrawl audit` and its subcommands. Each is loaded only when it is called.
 *
 * @module
 */
import type { Command } from 'commander';

/** Adds them. @param finish - takes the exit code. @param collect - gathers an option that is repeated. */
export function addAuditCommands(
  program: Command,
  userAgent: readonly [string, string, string],
  finish: (exitCode: number) => void,
  collect: (value: string, previous?: string[]) => string[],
): void {
  const audit = program
    .command('audit')
    .description('crawl a site, and say what of it can be crawled and indexed, and why not')
    // What follows the name of a subcommand is its own.
    .enablePositionalOptions();
  audit
    .argument('[url...]', 'where to begin')
    .option(
      '--agent <name>',
      'a crawler for which it is judged; repeat for several (default: Googlebot)',
      collect,
    )
    .option('--profile <name>', 'the reading of robots.txt', 'google')
    .option(
      '--scope <what>',
      'what is audited: the host, its domain, or what begins with the URL (host, domain, prefix)',
      'host',
    )
    .option('--max-pages <count>', 'pages to ask for (default: all)')
    .option('--max-depth <count>', 'links from the start (default: any number)')
    .option('--max-alike <count>', 'URLs of one shape, as calendars have them; 0: any number', '2000')
    .option('--concurrency <count>', 'requests to one host at the same time', '8')
    .option('--delay <seconds>', 'between requests to one host', '0')
    .option('--crawl-delay', 'obey the Crawl-delay of the crawlers, too')
    .option('--no-sitemaps', 'do not read the sitemaps that robots.txt names')
    .option('--urls <file|url>', 'further URLs to begin with: one a line, or a sitemap')
    .option('--robots <file>', 'judge and crawl as if this were the robots.txt')
    .option('--include <pattern>', 'only paths that match, as in a rule; repeat for several', collect)
    .option('--exclude <pattern>', 'no paths that match; repeat for several', collect)
    .option('--header <line>', 'a header of every request, "Name: value"; repeat for several', collect)
    .option(...userAgent)
    .option('--timeout <seconds>', 'for one page', '30')
    .option('--public-only', 'connect to addresses of the public Internet alone')
    .option('--out <folder|file.sqlite>', 'where the run and its reports are kept')
    .option('--resume', 'go on with the run in --out')
    .option('--json', 'tell the evidence about each URL, one a line')
    .action(async (urls, options) => finish(await (await import('./audit.ts')).audit(urls, options)));
}
