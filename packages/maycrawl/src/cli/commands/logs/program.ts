// The commands about access logs, with their options.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { JSON_OUTPUT, USER_AGENT } from '../../options/fetch-options.ts';
import { choice, flag, list, text, words } from '../../options/option.ts';
import type { LogsOptions } from './logs.ts';
import { LOGS_RANGES_COMMANDS } from './ranges-program.ts';

/** The commands, in the order of the help. */
export const LOGS_COMMANDS: readonly AnyCommand[] = [
  defineCommand<LogsOptions>({
    name: 'logs',
    description:
      'find in access logs which crawlers came, whether they are genuine, and whether they obeyed the rules; exit 1: --fail-on found something, 2: more than 1 % of the lines cannot be read',
    arguments: [['<file...>', 'access logs, also compressed by gzip; - for standard input']],
    options: {
      site: list(text('<origin>', 'site of the log, such as https://shop.example', { isRequired: true })),
      robots: text(
        '<file|folder>',
        'the robots.txt, or a folder with its versions, named by the time from which each was served: 2026-11-20T10-00-00Z.txt',
      ),
      watchDatabase: text('<database>', 'database of the monitor, which has the versions of robots.txt'),
      format: text('<name|pattern>', 'format of the lines (default: recognised; docs/logs-formats.md)'),
      clientIp: text('<field>', 'header field with the address of the client, such as x-forwarded-for'),
      trustedProxies: list(text('<cidr>', 'network of a proxy whose entries in --client-ip are true')),
      ranges: text('<folder>', 'folder with the address ranges of operators (maycrawl logs ranges update)'),
      dns: text('<file>', 'file with answers of DNS, in place of requests'),
      resolve: flag('verify crawlers by DNS and key directories'),
      keys: text('<folder>', 'folder with the key directories of signature agents'),
      userAgent: USER_AGENT,
      allowPrivate: flag('allow connections to private addresses for key directories'),
      crawlers: text('<file>', 'add the crawlers and operators of a JSON file (docs/operators.md)'),
      agent: list(text('<name>', 'report only this crawler')),
      profile: choice('<name>', ['google', 'google-2022', 'google-2013', 'rfc9309'], 'profile', {
        default: 'google',
      }),
      since: text('<time>', 'only requests from this time on: a day or a time in RFC 3339'),
      until: text('<time>', 'only requests before this time'),
      whatIf: text('<file>', 'count what another robots.txt would have stopped and opened'),
      audit: text('<run>', 'compare with the run of an audit: pages that no crawler requested, and others'),
      failOn: words(
        '<names>',
        ['violation', 'spoofed'],
        'exit with 1 if there is a violation or a spoofed request',
      ),
      blockList: choice(
        '<form>',
        ['nginx', 'apache', 'cidr'],
        'print the networks of spoofed requests in the form of a server: nginx, apache or cidr',
      ),
      addresses: flag('print addresses, in place of networks'),
      json: JSON_OUTPUT,
      csv: text('<folder>', 'write tables as CSV into a folder'),
      html: text('<file>', 'write a report as one HTML file'),
    },
    run: async (options, files) => (await import('./logs.ts')).logs(files, options),
  }),
  ...LOGS_RANGES_COMMANDS,
];
