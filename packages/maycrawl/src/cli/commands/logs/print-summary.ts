// The summary of logs for people.
import type { LogSummary } from '../../../logs/summary/log-summary.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { printTable } from '../../output/table.ts';
import { getColors } from '../../output/terminal.ts';

/** Crawlers, findings and rules that are printed. JSON, CSV and HTML have all. */
const [MAX_CRAWLERS, MAX_FINDINGS, MAX_RULES] = [30, 30, 10] as const;

/** Prints what the log is about, the findings, a table of crawlers, and rules. */
export function printSummary(summary: LogSummary): void {
  const { lines, from, to, sites, crawlers, hasAddresses } = summary;
  print(`${sites.map(visible).join(', ')}: ${from ?? 'no lines'}${to === null ? '' : ` to ${to}`}`);
  print(
    `${formatCount(lines.parsed, 'line')}: ${formatCount(lines.crawlers)} of crawlers, ${formatCount(lines.visitors)} of other visitors, ${formatCount(lines.unparsed)} not readable`,
  );
  if (!hasAddresses && crawlers.length > 0)
    print('The log has no addresses of clients: no crawler is verified.');
  if (summary.otherSites > 0)
    print(`${formatCount(summary.otherSites, 'request')} of crawlers for other hosts`);
  if (summary.furtherCrawlers > 0)
    print(`${formatCount(summary.furtherCrawlers, 'request')} with further names of crawlers`);
  printFindings(summary);
  printCrawlers(summary);
  printRules(summary);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printFindings({ findings }: LogSummary): void {
  const colors = getColors(process.stdout);
  const paint = { error: colors.red, warning: colors.yellow, info: colors.dim } as const;
  print(findings.length === 0 ? '\nNo findings' : `\nFindings`);
  for (const { severity, text } of findings.slice(0, MAX_FINDINGS))
    print(`  ${paint[severity](severity)}: ${visible(text)}`);
  printRest(findings.length - MAX_FINDINGS, 'further finding');
}

/** Prints crawlers by their main purpose. */
function printCrawlers({ crawlers }: LogSummary): void {
  if (crawlers.length === 0) return;
  print('');
  printTable(
    [
      'crawler',
      'purpose',
      'requests',
      'genuine',
      'spoofed',
      'allowed',
      'grace',
      'violations',
      'other',
      'robots.txt',
    ],
    crawlers
      .slice(0, MAX_CRAWLERS)
      .map(({ crawler, purposes, requests, identity, classes, robotsTxt }) => [
        visible(crawler),
        purposes[0] ?? '',
        formatCount(requests),
        formatCount(identity.verified),
        formatCount(identity.spoofed),
        formatCount(classes.allowed),
        formatCount(classes.grace),
        formatCount(classes.violation),
        formatCount(classes.outage + classes['unknown-version'] + classes.exempt),
        robotsTxt.last === null ? 'never' : `${formatCount(robotsTxt.fetches)} times, last ${robotsTxt.last}`,
      ]),
  );
  printRest(crawlers.length - MAX_CRAWLERS, 'further crawler');
  for (const { crawler, whatIf } of crawlers) {
    if (whatIf === null || whatIf.stopped + whatIf.opened === 0) continue;
    const share = Math.round((100 * whatIf.stopped) / whatIf.requests);
    print(
      `The new file would have stopped ${formatCount(whatIf.stopped)} (${share} %) and opened ${formatCount(whatIf.opened)} of the ${formatCount(whatIf.requests)} ${whatIf.isVerified ? 'verified requests of' : 'requests, none of them verified, as'} ${visible(crawler)}`,
    );
  }
}

function printRules({ rules, unusedRules }: LogSummary): void {
  const disallowing = rules.filter(({ kind }) => kind === 'disallow');
  if (disallowing.length > 0) print('\nRules that met requests');
  for (const { version, line, rule, requests, crawlers } of disallowing.slice(0, MAX_RULES)) {
    const names = crawlers
      .slice(0, 3)
      .map(({ crawler, requests: count }) => `${visible(crawler)} ${formatCount(count)}`);
    print(
      `  line ${line} of ${visible(version)}, ${visible(rule)}: ${formatCount(requests, 'request')} (${names.join(', ')})`,
    );
  }
  printRest(disallowing.length - MAX_RULES, 'further rule');
  if (unusedRules.length > 0) print(`${formatCount(unusedRules.length, 'rule')} met no request`);
}

function printRest(count: number, noun: string): void {
  if (count > 0) print(`  and ${formatCount(count, noun)}`);
}
