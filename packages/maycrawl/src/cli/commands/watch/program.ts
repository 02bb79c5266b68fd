// `maycrawl watch`: its commands. The module of each is loaded only when it is called.

import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { withTelemetry } from '../../telemetry.ts';
import {
  ADD_OPTIONS,
  AUDIT_OPTIONS,
  CHECK_OPTIONS,
  DATABASE,
  DATABASE_OPTIONS,
  LOG_OPTIONS,
  LOGS_OPTIONS,
  PRUNE_OPTIONS,
  RUN_OPTIONS,
} from './options.ts';

const SITE: readonly [string, string] = ['<site>', 'a URL or a host'];
const SITES: readonly [string, string] = ['<site...>', 'URLs or hosts'];
const sites = () => import('./sites.ts');
const log = () => import('./log.ts');

export const WATCH_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'watch add',
    description: 'add sites to the monitor, or change their settings',
    arguments: [['[site...]', 'URLs or hosts']],
    options: ADD_OPTIONS,
    section: 'watch',
    run: async (options, names) => (await sites()).addSites(names, options),
  }),
  defineCommand({
    name: 'watch remove',
    description: 'remove sites, and delete all their data',
    arguments: [SITES],
    options: { database: DATABASE },
    section: 'watch',
    run: async (options, names) => (await sites()).removeSites(names, options),
  }),
  defineCommand({
    name: 'watch check',
    description: 'check sites immediately, including those that are set aside, and print the results',
    arguments: [SITES],
    options: CHECK_OPTIONS,
    section: 'watch',
    run: async (options, names) => (await import('./check.ts')).checkSites(names, options),
  }),
  defineCommand({
    name: 'watch list',
    description: 'list the sites',
    options: DATABASE_OPTIONS,
    section: 'watch',
    run: async (options) => (await sites()).listSites(options),
  }),
  defineCommand({
    name: 'watch export',
    description: 'print all sites with their settings as YAML',
    options: { database: DATABASE },
    section: 'watch',
    run: async (options) => (await import('./export-sites.ts')).exportSites(options),
  }),
  defineCommand({
    name: 'watch import',
    description: 'add the sites of a YAML file, or change their settings',
    arguments: [['<file>', 'a file in the format of export']],
    options: { database: DATABASE },
    section: 'watch',
    run: async (options, [path = '']) => (await import('./import-sites.ts')).importSites(path, options),
  }),
  defineCommand({
    name: 'watch run',
    description: 'check due sites and deliver notifications, until it is stopped',
    options: RUN_OPTIONS,
    section: 'watch',
    run: (options) => withTelemetry(async () => (await import('./run.ts')).runWatch(options)),
  }),
  defineCommand({
    name: 'watch audit',
    description: 'audit monitored sites on a schedule, and report what changes from one audit to the next',
    arguments: [['<url...>', 'where to start, on monitored sites']],
    options: AUDIT_OPTIONS,
    section: 'watch',
    run: async (options, urls) => (await import('./audits/audits.ts')).scheduleAudits(urls, options),
  }),
  defineCommand({
    name: 'watch audits',
    description: 'list the scheduled audits, and the results of the last ones',
    options: DATABASE_OPTIONS,
    section: 'watch',
    run: async (options) => (await import('./audits/audits.ts')).listAudits(options),
  }),
  defineCommand({
    name: 'watch logs',
    description:
      'read an access log on a schedule, and report what crawlers do that they did not do before; without a path, list the logs',
    arguments: [['[path]', 'the access log that the server writes; its rotated files are read, too']],
    options: LOGS_OPTIONS,
    section: 'watch',
    run: async (options, [path]) => (await import('./logs.ts')).watchLogs(path, options),
  }),
  defineCommand({
    name: 'watch prune',
    description: 'delete old data, and unreferenced files',
    options: PRUNE_OPTIONS,
    section: 'watch',
    run: async (options) => (await import('./prune.ts')).pruneWatch(options),
  }),
  defineCommand({
    name: 'watch test',
    description: 'send a test message to a target, or to each target of the sites',
    arguments: [['[target]', 'as for --notify (default: each target of the sites)']],
    options: { database: DATABASE },
    section: 'watch',
    run: async (options, [target]) => (await import('./test-targets.ts')).testTargets(target, options),
  }),
  defineCommand({
    name: 'watch status',
    description: 'print the number of sites and due checks, failing targets, and the last events',
    options: DATABASE_OPTIONS,
    section: 'watch',
    run: async (options) => (await log()).showStatus(options),
  }),
  defineCommand({
    name: 'watch log',
    description: 'print the events of a site, the newest first',
    arguments: [SITE],
    options: LOG_OPTIONS,
    section: 'watch',
    run: async (options, [site = '']) => (await log()).showLog(site, options),
  }),
  defineCommand({
    name: 'watch show',
    description: 'print a version of a file',
    arguments: [['<site@version>', 'such as example.com@3']],
    options: DATABASE_OPTIONS,
    section: 'watch',
    run: async (options, [name = '']) => (await log()).showVersion(name, options),
  }),
  defineCommand({
    name: 'watch diff',
    description: 'compare two versions; exit 0: no change, 1: a change, 2: undecided',
    arguments: [['<site@versions>', 'such as example.com@2..3']],
    options: DATABASE_OPTIONS,
    section: 'watch',
    run: async (options, [name = '']) => (await log()).diffVersions(name, options),
  }),
];
