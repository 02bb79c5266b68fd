/**
 * `maycrawl watch`: its commands and their options. The module of each is loaded only when it is called.
 *
 * @module
 */
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { ALLOW_PRIVATE, JSON_OUTPUT, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import { count, duration, flag, list, type OptionDescription, text } from '../../options/option.ts';
import type { DatabaseOptions } from './database.ts';
import { EVERY } from './every.ts';
import type { LogOptions } from './log.ts';
import type { PruneCommandOptions } from './prune.ts';
import type { RunOptions } from './run.ts';
import type { AddOptions } from './sites.ts';

const DATABASE: OptionDescription<string> = text(
  '<path|url>',
  'where the monitor stores what it sees: a SQLite file (default: in your data folder) or a postgres:// URL',
);
const configuration = { section: 'watch', names: ['database'] } as const;
const SITE: readonly [string, string] = ['<site>', 'a URL or a host'];
const SITES: readonly [string, string] = ['<site...>', 'URLs or hosts'];
/** The largest number of events that are listed. */
const MAX_EVENTS = 1_000_000;

const sites = () => import('./sites.ts');
const log = () => import('./log.ts');

type Database = Pick<DatabaseOptions, 'database'>;

/** The commands. */
export const WATCH_COMMANDS: readonly AnyCommand[] = [
  defineCommand<AddOptions>({
    name: 'watch add',
    description: 'watch sites, or change how they are watched',
    arguments: [['[site...]', 'URLs or hosts']],
    options: {
      database: DATABASE,
      from: text('<file>', 'a file with sites, one a line'),
      every: EVERY,
      agent: list(text('<name>', 'a crawler whose verdicts matter (default: all)')),
      urls: text('<file>', 'URLs whose verdicts matter, one a line'),
      tests: text('<file>', 'expectations, as for verify'),
      notify: list(text('<target>', 'a target of notifications (docs/watch.md)')),
      severity: list(text('<aspect=severity>', 'how severe a kind of change is for you')),
    },
    configuration,
    run: async (options, names) => (await sites()).addSites(names, options),
  }),
  defineCommand<Database>({
    name: 'watch remove',
    description: 'stop watching sites, and delete what is stored of them',
    arguments: [SITES],
    options: { database: DATABASE },
    configuration,
    run: async (options, names) => (await sites()).removeSites(names, options),
  }),
  defineCommand<Database>({
    name: 'watch check',
    description: 'check sites at the next opportunity, also those that are set aside',
    arguments: [SITES],
    options: { database: DATABASE },
    configuration,
    run: async (options, names) => (await sites()).recheckSites(names, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch list',
    description: 'the sites that are watched',
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options) => (await sites()).listSites(options),
  }),
  defineCommand<Database>({
    name: 'watch export',
    description: 'all sites with their settings, as YAML',
    options: { database: DATABASE },
    configuration,
    run: async (options) => (await import('./export-sites.ts')).exportSites(options),
  }),
  defineCommand<Database>({
    name: 'watch import',
    description: 'watch the sites of a YAML file',
    arguments: [['<file>', 'as export writes it']],
    options: { database: DATABASE },
    configuration,
    run: async (options, [path = '']) => (await import('./import-sites.ts')).importSites(path, options),
  }),
  defineCommand<RunOptions>({
    name: 'watch run',
    description: 'check the sites that are due and deliver notifications, until it is stopped',
    options: {
      database: DATABASE,
      once: flag('stop when no site is due any more'),
      userAgent: USER_AGENT,
      timeout: TIMEOUT,
      allowPrivate: ALLOW_PRIVATE,
      keep: duration('<time>', ['1d', undefined], 'delete what is older, as prune does (default: keep all)'),
      json: JSON_OUTPUT,
    },
    configuration: { section: 'watch', names: ['database', 'userAgent', 'timeout', 'allowPrivate', 'keep'] },
    run: async (options) => (await import('./run.ts')).runWatch(options),
  }),
  defineCommand<PruneCommandOptions>({
    name: 'watch prune',
    description: 'delete what is old, and files that nothing refers to any more',
    options: {
      database: DATABASE,
      olderThan: duration(
        '<time>',
        ['1d', undefined],
        'age of versions, events and messages that are deleted, such as 400d',
      ),
      dryRun: flag('only count what would be deleted'),
      json: JSON_OUTPUT,
    },
    configuration,
    run: async (options) => (await import('./prune.ts')).pruneWatch(options),
  }),
  defineCommand<object>({
    name: 'watch test',
    description: 'send a message to a target, to see whether it arrives',
    arguments: [['<target>', 'as for --notify']],
    options: {},
    run: async (_options, [target = '']) => (await import('./run.ts')).testTarget(target),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch status',
    description: 'how many sites there are, what is due, and what happened last',
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options) => (await log()).showStatus(options),
  }),
  defineCommand<LogOptions>({
    name: 'watch log',
    description: 'what happened to a site, the newest first',
    arguments: [SITE],
    options: {
      database: DATABASE,
      limit: count('<count>', [1, MAX_EVENTS], 'how many events', { default: '50' }),
      json: JSON_OUTPUT,
    },
    configuration,
    run: async (options, [site = '']) => (await log()).showLog(site, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch show',
    description: 'a version of a file',
    arguments: [['<site@version>', 'such as example.com@3']],
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options, [name = '']) => (await log()).showVersion(name, options),
  }),
  defineCommand<DatabaseOptions>({
    name: 'watch diff',
    description: 'what changed from one version to another; exit 0: nothing, 1: something, 2: not decided',
    arguments: [['<site@versions>', 'such as example.com@2..3']],
    options: { database: DATABASE, json: JSON_OUTPUT },
    configuration,
    run: async (options, [name = '']) => (await log()).diffVersions(name, options),
  }),
];
