// The options of the commands about access logs. The module loads no package, because the command loads it at every start.
import { JSON_OUTPUT, USER_AGENT } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';

/** Options of `maycrawl logs`. */
export const LOGS_OPTIONS = {
  site: {
    type: 'text',
    placeholder: '<origin>',
    description: 'site of the log, such as https://shop.example',
    isRequired: true,
    isList: true,
  },
  robots: {
    type: 'text',
    placeholder: '<file|folder>',
    description:
      'the robots.txt, or a folder with its versions, named by the time from which each was served: 2026-11-20T10-00-00Z.txt',
  },
  watchDatabase: {
    type: 'text',
    placeholder: '<database>',
    description: 'database of the monitor, which has the versions of robots.txt',
  },
  format: {
    type: 'text',
    placeholder: '<name|pattern>',
    description: 'format of the lines (default: recognised; docs/logs-formats.md)',
  },
  clientIp: {
    type: 'text',
    placeholder: '<field>',
    description: 'header field with the address of the client, such as x-forwarded-for',
  },
  trustedProxies: {
    type: 'text',
    placeholder: '<cidr>',
    description: 'network of a proxy whose entries in --client-ip are true',
    isList: true,
  },
  ranges: {
    type: 'text',
    placeholder: '<folder>',
    description: 'folder with the address ranges of operators (maycrawl logs ranges update)',
  },
  dns: { type: 'text', placeholder: '<file>', description: 'file with answers of DNS, in place of requests' },
  resolve: { type: 'flag', description: 'verify crawlers by DNS and key directories' },
  keys: {
    type: 'text',
    placeholder: '<folder>',
    description: 'folder with the key directories of signature agents',
  },
  userAgent: USER_AGENT as typeof USER_AGENT,
  allowPrivate: { type: 'flag', description: 'allow connections to private addresses for key directories' },
  crawlers: {
    type: 'text',
    placeholder: '<file>',
    description: 'add the crawlers and operators of a JSON file (docs/operators.md)',
  },
  agent: { type: 'text', placeholder: '<name>', description: 'report only this crawler', isList: true },
  profile: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['google', 'google-2022', 'google-2013', 'rfc9309'],
    description: 'profile',
    default: 'google',
  },
  since: {
    type: 'text',
    placeholder: '<time>',
    description: 'only requests from this time on: a day or a time in RFC 3339',
  },
  until: { type: 'text', placeholder: '<time>', description: 'only requests before this time' },
  whatIf: {
    type: 'text',
    placeholder: '<file>',
    description: 'count what another robots.txt would have stopped and opened',
  },
  audit: {
    type: 'text',
    placeholder: '<run>',
    description: 'compare with the run of an audit: pages that no crawler requested, and others',
  },
  failOn: {
    type: 'words',
    placeholder: '<names>',
    choices: ['violation', 'spoofed'],
    description: 'exit with 1 if there is a violation or a spoofed request',
  },
  blockList: {
    type: 'choice',
    placeholder: '<form>',
    choices: ['nginx', 'apache', 'cidr'],
    description: 'print the networks of spoofed requests in the form of a server: nginx, apache or cidr',
  },
  addresses: { type: 'flag', description: 'print addresses, in place of networks' },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
  csv: { type: 'text', placeholder: '<folder>', description: 'write tables as CSV into a folder' },
  html: { type: 'text', placeholder: '<file>', description: 'write a report as one HTML file' },
} as const;
export type LogsOptions = OptionValues<typeof LOGS_OPTIONS>;

/** Options of `maycrawl logs ranges update`. */
export const RANGES_UPDATE_OPTIONS = {
  crawlers: {
    type: 'text',
    placeholder: '<file>',
    description: 'add the crawlers and operators of a JSON file (docs/operators.md)',
  },
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1ms', '1h'],
    description: 'maximum time for a connection, and for a response',
    default: '30s',
  },
  allowPrivate: { type: 'flag', description: 'allow connections to private addresses' },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type RangesUpdateOptions = OptionValues<typeof RANGES_UPDATE_OPTIONS>;

/** Options of `maycrawl logs ranges list`. */
export const RANGES_LIST_OPTIONS = { json: JSON_OUTPUT as typeof JSON_OUTPUT } as const;
export type RangesListOptions = OptionValues<typeof RANGES_LIST_OPTIONS>;
