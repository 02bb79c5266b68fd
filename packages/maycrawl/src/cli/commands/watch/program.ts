// `maycrawl watch`: its commands and their options. The module of each is loaded only when it is called.

import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { ALLOW_PRIVATE, JSON_OUTPUT, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import { count, duration, flag, list, type OptionDescription, text } from '../../options/option.ts';
import { withTelemetry } from '../../telemetry.ts';
import type { ScheduleOptions } from './audits/audits.ts';
import { SCHEDULE_OPTIONS } from './audits/schedule-options.ts';
import type { CheckSitesOptions } from './check.ts';
import type { DatabaseOptions } from './database.ts';
import { CONFIRM, EVERY } from './intervals.ts';
import type { LogOptions } from './log.ts';
import type { WatchLogsOptions } from './logs.ts';
import type { PruneCommandOptions } from './prune.ts';
import type { RunOptions } from './run.ts';
import type { AddOptions } from './sites.ts';

const DATABASE: OptionDescription<string> = text(
  '<path|url>',
  'database of the monitor: a SQLite file (default: in your data folder) or a postgres:// URL',
);
const configuration = { section: 'watch', names: ['database'] } as const;
const SITE: readonly [string, string] = ['<site>', 'a URL or a host'];
const SITES: readonly [string, string] = ['<site...>', 'URLs or hosts'];
/** Maximum number of listed events. */
const MAX_EVENTS = 1_000_000;

const sites = () => import('./sites.ts');
const log = () => import('./log.ts');

type Database = Pick<DatabaseOptions, 'database'>;

export const WATCH_COMMANDS: readonly AnyCommand[] = [
  defineCommand<AddOptions>({
    name: 'watch add',
    description: 'add sites to the monitor, or change their settings',
    arguments: [['[site...]', 'URLs or hosts']],
    options: {
      database: DATABASE,
      from: text('<file>', 'file with sites, one a line'),
      every: EVERY,
      confirm: CONFIRM,
      agent: list(text('<name>', 'a crawler to report changes for (default: all)')),
      urls: text('<file>', 'file with URLs to report changes for, one a line'),
      tests: text('<file>', 'file with expectations, as for verify'),
      notify: list(text('<target>', 'a target of notifications (docs/watch.md)')),
      notifyFrom: list(
        text(
          '<severity|target=severity>',
          'the least severity of events that all targets, or one of them, receive (default: info)',
        ),
      ),
      severity: list(text('<aspect=severity>', 'the severity of an aspect of changes')),
    },
    configuration,
    run: async (options, names) => (await sites()).addSites(names, options),
  }),
  defineCommand<Database>({
    name: 'watch remove',
    description: 'remove sites, and delete all their data',
    arguments: [SITES],
    options: { database: DATABASE },
    configuration,
    run: async (options, names) => (await sites()).removeSites(names, options),
  }),
  defineCommand<CheckSitesOptions>({
    name: 'watch check',
    description: 'check sites immediately, including those that are set aside, and print the results',
    arguments: [SITES],
    options: {
      database: DATABASE,
      userAgent: USER_AGENT,
      timeout: TIMEOUT,
      allowPrivate: ALLOW_PRIVATE,
      json: JSON_OUTPUT,
    },
    configuration: { section: 'watch', names: ['database', 'userAgent', 'timeout', 'allowPrivate'] },
    run: async (options, names) => (await import('./check.ts')).checkSites(names, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch list',
    description: 'list the sites',
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options) => (await sites()).listSites(options),
  }),
  defineCommand<Database>({
    name: 'watch export',
    description: 'print all sites with their settings as YAML',
    options: { database: DATABASE },
    configuration,
    run: async (options) => (await import('./export-sites.ts')).exportSites(options),
  }),
  defineCommand<Database>({
    name: 'watch import',
    description: 'add the sites of a YAML file, or change their settings',
    arguments: [['<file>', 'a file in the format of export']],
    options: { database: DATABASE },
    configuration,
    run: async (options, [path = '']) => (await import('./import-sites.ts')).importSites(path, options),
  }),
  defineCommand<RunOptions>({
    name: 'watch run',
    description: 'check due sites and deliver notifications, until it is stopped',
    options: {
      database: DATABASE,
      once: flag('stop when no site is due'),
      userAgent: USER_AGENT,
      timeout: TIMEOUT,
      allowPrivate: ALLOW_PRIVATE,
      keep: duration('<time>', ['1d', undefined], 'delete older data, like prune (default: keep all)'),
      audits: text(
        '<folder>',
        'folder of the runs of scheduled audits (default: audits beside the SQLite file)',
      ),
      metricsPort: count(
        '<number>',
        [0, 65_535],
        'port of /metrics, /healthz and /readyz; 0: any free port (default: none; not with --once)',
      ),
      metricsHost: text('<address>', 'address to listen on, with --metrics-port', { default: '127.0.0.1' }),
      allowedHost: list(
        text('<name>', 'a host name in requests for metrics, in addition to localhost and --metrics-host'),
      ),
      json: JSON_OUTPUT,
    },
    configuration: {
      section: 'watch',
      names: [
        'database',
        'userAgent',
        'timeout',
        'allowPrivate',
        'keep',
        'audits',
        'metricsPort',
        'metricsHost',
        'allowedHost',
      ],
    },
    run: (options) => withTelemetry(async () => (await import('./run.ts')).runWatch(options)),
  }),
  defineCommand<ScheduleOptions>({
    name: 'watch audit',
    description: 'audit monitored sites on a schedule, and report what changes from one audit to the next',
    arguments: [['<url...>', 'where to start, on monitored sites']],
    options: {
      database: DATABASE,
      ...SCHEDULE_OPTIONS,
      off: flag('stop auditing these sites on a schedule; stored runs are kept'),
    },
    configuration: { section: 'watch', names: ['database', 'alertUrls', 'errorShare', 'keepRuns'] },
    run: async (options, urls) => (await import('./audits/audits.ts')).scheduleAudits(urls, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch audits',
    description: 'list the scheduled audits, and the results of the last ones',
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options) => (await import('./audits/audits.ts')).listAudits(options),
  }),
  defineCommand<WatchLogsOptions>({
    name: 'watch logs',
    description:
      'read an access log on a schedule, and report what crawlers do that they did not do before; without a path, list the logs',
    arguments: [['[path]', 'the access log that the server writes; its rotated files are read, too']],
    options: {
      database: DATABASE,
      site: text('<site>', 'the monitored site of the log'),
      every: duration('<time>', ['1m', undefined], 'interval of readings, such as 1h or 1d', {
        default: '1d',
      }),
      format: text('<name|pattern>', 'format of the lines (default: recognised; docs/logs-formats.md)'),
      ranges: text('<folder>', 'folder with the address ranges of operators (maycrawl logs ranges update)'),
      clientIp: text('<field>', 'header field with the address of the client, such as x-forwarded-for'),
      trustedProxies: list(text('<cidr>', 'network of a proxy whose entries in --client-ip are true')),
      remove: flag('stop reading the log; recorded events are kept'),
      json: JSON_OUTPUT,
    },
    configuration,
    run: async (options, [path]) => (await import('./logs.ts')).watchLogs(path, options),
  }),
  defineCommand<PruneCommandOptions>({
    name: 'watch prune',
    description: 'delete old data, and unreferenced files',
    options: {
      database: DATABASE,
      olderThan: duration(
        '<time>',
        ['1d', undefined],
        'minimum age of deleted versions, events and messages, such as 400d',
      ),
      dryRun: flag('print the counts, but delete nothing'),
      json: JSON_OUTPUT,
    },
    configuration,
    run: async (options) => (await import('./prune.ts')).pruneWatch(options),
  }),
  defineCommand<Database>({
    name: 'watch test',
    description: 'send a test message to a target, or to each target of the sites',
    arguments: [['[target]', 'as for --notify (default: each target of the sites)']],
    options: { database: DATABASE },
    configuration,
    run: async (options, [target]) => (await import('./test-targets.ts')).testTargets(target, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch status',
    description: 'print the number of sites and due checks, failing targets, and the last events',
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options) => (await log()).showStatus(options),
  }),
  defineCommand<LogOptions>({
    name: 'watch log',
    description: 'print the events of a site, the newest first',
    arguments: [SITE],
    options: {
      database: DATABASE,
      limit: count('<count>', [1, MAX_EVENTS], 'maximum number of events', { default: '50' }),
      json: JSON_OUTPUT,
    },
    configuration,
    run: async (options, [site = '']) => (await log()).showLog(site, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch show',
    description: 'print a version of a file',
    arguments: [['<site@version>', 'such as example.com@3']],
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options, [name = '']) => (await log()).showVersion(name, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch diff',
    description: 'compare two versions; exit 0: no change, 1: a change, 2: undecided',
    arguments: [['<site@versions>', 'such as example.com@2..3']],
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options, [name = '']) => (await log()).diffVersions(name, options),
  }),
];
