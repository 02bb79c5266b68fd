// The commands. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../options/command.ts';
import { FETCHING } from '../options/fetch-options.ts';
import { AUDIT_COMMANDS } from './audit/program.ts';
import { CENSUS_COMMANDS } from './census/program.ts';
import { CONFORMANCE_COMMANDS } from './conformance/program.ts';
import { IDENTITY_COMMANDS } from './identity/program.ts';
import { LOGS_COMMANDS } from './logs/program.ts';
import { MCP_COMMAND } from './mcp/program.ts';
import {
  CACHE_CLEAR_OPTIONS,
  CACHE_OPTIONS,
  CACHE_PRUNE_OPTIONS,
  CHECK_OPTIONS,
  CRAWLERS_OPTIONS,
  DIFF_OPTIONS,
  LINT_OPTIONS,
  LSP_OPTIONS,
  MINIFY_OPTIONS,
  PARSE_OPTIONS,
  PREFERENCES_OPTIONS,
  SET_PREFERENCES_OPTIONS,
} from './options.ts';
import { SERVE_COMMAND } from './serve/program.ts';
import { VERIFY_COMMAND } from './verify/program.ts';
import { WATCH_COMMANDS } from './watch/program.ts';

const FILE: readonly [string, string] = ['<file|url|->', 'the robots.txt'];

const FILE_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'check',
    description:
      'decide whether crawlers may fetch URLs; exit 0: all allowed, 1: any disallowed, 2: no verdict',
    arguments: [['[url...]', 'absolute URLs; with --robots FILE also paths']],
    options: { ...CHECK_OPTIONS, ...FETCHING },
    run: async (options, urls) =>
      options.page === true
        ? (await import('./check/page.ts')).checkPages(urls, options)
        : (await import('./check/check.ts')).check(urls, options),
  }),
  defineCommand({
    name: 'preferences',
    description: 'read what sites declare about the use of their content: search, AI training, AI answers',
    arguments: [['<url...>', 'absolute URLs']],
    options: { ...PREFERENCES_OPTIONS, ...FETCHING },
    run: async (options, urls) => (await import('./preferences/preferences.ts')).preferences(urls, options),
  }),
  defineCommand({
    name: 'preferences set',
    description:
      'write what crawlers may use the content for into a robots.txt; refuses (exit 2) if any URL would become blocked or allowed',
    arguments: [FILE],
    options: { ...SET_PREFERENCES_OPTIONS, ...FETCHING },
    run: async (options, [name = '']) =>
      (await import('./preferences/set.ts')).setPreferencesCommand(name, options),
  }),
  defineCommand({
    name: 'diff',
    description: 'find what an edit changes, for every URL; exit 0: no change, 1: a change, 2: undecided',
    arguments: [
      ['<old>', 'a file, a URL, - or git:REVISION:PATH'],
      ['<new>', 'likewise'],
    ],
    options: { ...DIFF_OPTIONS, ...FETCHING },
    run: async (options, [before = '', after = '']) =>
      (await import('./diff/diff.ts')).diff(before, after, options),
  }),
  defineCommand({
    name: 'lint',
    description: 'find mistakes in a robots.txt; exit 0: no finding above info, 1: warnings or errors',
    arguments: [['<file|url|-...>', 'robots.txt files']],
    options: { ...LINT_OPTIONS, ...FETCHING },
    run: async (options, names) => (await import('./lint/lint.ts')).lintCommand(names, options),
  }),
  defineCommand({
    name: 'lsp',
    description: 'serve an editor: the language server for robots.txt, on standard input and output',
    options: LSP_OPTIONS,
    run: async (options) => (await import('./lsp.ts')).lsp(options),
  }),
  VERIFY_COMMAND,
  defineCommand({
    name: 'minify',
    description: 'write a smaller file that is proved to have the same verdicts for every crawler and URL',
    arguments: [FILE],
    options: { ...MINIFY_OPTIONS, ...FETCHING },
    run: async (options, [name = '']) => (await import('./minify.ts')).minifyCommand(name, options),
  }),
  defineCommand({
    name: 'batch',
    description:
      'decide for questions in JSON, one a line on standard input; exit 2 if any line has no verdict',
    options: {},
    run: async () => {
      const { batch } = await import('./batch.ts');
      const { openStandardInput } = await import('../input/standard-input.ts');
      return batch(openStandardInput());
    },
  }),
  defineCommand({
    name: 'parse',
    description: 'show the groups, rules, sitemaps, other records and diagnostics of a robots.txt',
    arguments: [FILE],
    options: { ...PARSE_OPTIONS, ...FETCHING },
    run: async (options, [name = '']) => (await import('./parse.ts')).parseCommand(name, options),
  }),
];

const CRAWLERS_COMMAND: AnyCommand = defineCommand({
  name: 'crawlers',
  description:
    'list known crawlers: operator, kind, purposes, and whether they obey robots.txt; of named ones, also verification, cache and outages',
  arguments: [['[crawler...]', 'names of crawlers']],
  options: CRAWLERS_OPTIONS,
  run: async (options, names) => (await import('./crawlers.ts')).crawlers(names, options),
});

const loadCache = () => import('./cache.ts');
const SITE: readonly [string, string] = ['<site>', 'a URL or a host'];

const CACHE_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'cache list',
    description: 'list the sites in the cache',
    options: CACHE_OPTIONS,
    run: async (options) => (await loadCache()).listCache(options),
  }),
  defineCommand({
    name: 'cache show',
    description: 'print the stored response of a site',
    arguments: [SITE],
    options: CACHE_OPTIONS,
    run: async (options, [site = '']) => (await loadCache()).showCache(site, options),
  }),
  defineCommand({
    name: 'cache history',
    description: 'print the events of a site, the newest first',
    arguments: [SITE],
    options: CACHE_OPTIONS,
    run: async (options, [site = '']) => (await loadCache()).showHistory(site, options),
  }),
  defineCommand({
    name: 'cache prune',
    description: 'remove responses beyond the limits, and unused ones',
    options: CACHE_PRUNE_OPTIONS,
    run: async (options) => (await loadCache()).pruneCache(options),
  }),
  defineCommand({
    name: 'cache clear',
    description: 'remove one site, or all sites',
    arguments: [['[site]', 'a URL or a host']],
    options: CACHE_CLEAR_OPTIONS,
    run: async (options, [site]) => (await loadCache()).clearCache(site, options),
  }),
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly AnyCommand[] = [
  ...FILE_COMMANDS,
  SERVE_COMMAND,
  MCP_COMMAND,
  ...WATCH_COMMANDS,
  ...AUDIT_COMMANDS,
  ...CENSUS_COMMANDS,
  ...LOGS_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...CONFORMANCE_COMMANDS,
  CRAWLERS_COMMAND,
  ...CACHE_COMMANDS,
];

/** Descriptions of the groups of commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  census: 'judge the robots.txt files of web archives for many crawlers',
  cache: 'stored responses of sites: list, show, history, prune, clear',
  conformance: 'test how crawlers treat robots.txt: serve',
  identity: 'the identity with which a crawler signs its requests: init, rotate, publish, check, record',
  'logs ranges': 'stored lists of the addresses of crawlers: update, list',
  watch: 'monitor the robots.txt of sites: store every version, and report the impact of changes',
};
