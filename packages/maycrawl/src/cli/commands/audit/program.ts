/**
 * `maycrawl audit` and its subcommands. Each is loaded only when it is called.
 *
 * @module
 */
import type { Command } from 'commander';
import { ALLOW_PRIVATE } from '../../input/fetch-options.ts';

/** Adds them. @param finish - takes the exit code. @param collect - gathers an option that is repeated. */
export function addAuditCommands(
  program: Command,
  userAgent: readonly [string, string, string],
  finish: (exitCode: number) => void,
  collect: (value: string, previous?: string[]) => string[],
): void {
  const audit = program
    .command('audit')
    .description('crawl a site, and say what of it can be crawled and indexed, and why not');
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
    .option(
      '--header <line>',
      'a header for the hosts of the URLs, "Name: value"; repeat for several',
      collect,
    )
    .option(...userAgent)
    .option('--timeout <seconds>', 'for one page', '30')
    .option(...ALLOW_PRIVATE)
    .option(
      '--out <folder|file.sqlite|url>',
      'where the run is kept; with a postgres:// URL several workers can crawl in it',
    )
    .option('--run <name>', 'the name of the run in a database (default: the host)')
    .option('--resume', 'go on with the run in --out')
    .option(
      '--fail-on <reasons>',
      'exit 1 if there is one of these, such as noindex,error,sitemap (docs/audit.md)',
    )
    .option('--junit <file>', 'what --fail-on found, for continuous integration')
    .option('--json', 'tell the evidence about each URL, one a line')
    .action(async (urls, options) => finish(await (await import('./audit.ts')).audit(urls, options)));

  audit
    .command('copy')
    .description('fetch a run out of a database into a file, and judge it')
    .argument('<url>', 'postgres://user:password@host:port/database')
    .argument('<name>', 'the run')
    .argument('<file>', 'a new SQLite file')
    .action(async (url, name, file) => finish(await (await import('./copy.ts')).auditCopy(url, name, file)));

  const json = ['--json', 'answer in JSON'] as const;
  const lines = ['--json', 'one JSON object a line, the last a summary'] as const;
  audit
    .command('report')
    .description('what a run found; exit 1: it has what --fail-on names')
    .argument('<run>', 'the file of the run, or the folder it is in')
    .option('--out <folder|file.html>', 'where the HTML report goes (default: beside the run)')
    .option('--csv <file>', 'one line for each URL and crawler, for spreadsheets')
    .option('--ndjson <file>', 'one JSON object a line for each URL and crawler, with all the evidence')
    .option(
      '--fail-on <reasons>',
      'what the run must not have, such as noindex,error,sitemap; see docs/audit.md',
    )
    .option('--junit <file>', 'what --fail-on found, for continuous integration')
    .option(...json)
    .action(async (path, options) => finish(await (await import('./report.ts')).auditReport(path, options)));
  audit
    .command('compare')
    .description('what changed from one run to another; exit 1: a URL is not indexable any more')
    .argument('<before>', 'the file of a run')
    .argument('<after>', 'the file of a later one')
    .option(...lines)
    .action(async (before, after, options) =>
      finish(await (await import('./compare.ts')).auditCompare(before, after, options)),
    );
  audit
    .command('replay')
    .description(
      'what another robots.txt would make of a run, without asking the site; exit 1: pages are lost',
    )
    .argument('<run>', 'the file of the run, or the folder it is in')
    .requiredOption('--robots <file>', 'the robots.txt that is tried')
    .option('--agent <name>', 'a crawler; repeat for several (default: those of the run)', collect)
    .option(...lines)
    .action(async (path, options) => finish(await (await import('./replay.ts')).auditReplay(path, options)));
}
